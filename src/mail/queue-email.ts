import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import type { Email } from "../egress/smtp.ts";
import { newId } from "../ids.ts";
import { insertEmail } from "./queries.ts";

/** Returns whether this installation sends e-mail, which means that SMTP_URL is set. */
export function sendsMail(app: App): boolean {
  return app.config.SMTP_URL !== undefined;
}

/**
 * Queues an e-mail in the caller's transaction, so that nothing waits for a mail server, and nothing is sent if the
 * transaction is rolled back. Returns false and does nothing if SMTP_URL is not set.
 */
export async function queueEmail(app: App, on: Executor, email: Email): Promise<boolean> {
  if (!sendsMail(app)) return false;
  const id = newId();
  await insertEmail(on, { id, sealed: app.secrets.seal(Buffer.from(JSON.stringify(email)), sealContext(id)) });
  return true;
}

/** Returns the context to which the sealed text of a queued e-mail is bound. */
export function sealContext(id: string): string {
  return `email:${id}`;
}
