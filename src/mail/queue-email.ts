import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import type { Email } from "../egress/smtp.ts";
import { newId } from "../ids.ts";
import { insertEmail } from "./queries.ts";

/** Whether this installation sends e-mail at all. */
export function sendsMail(app: App): boolean {
  return app.config.SMTP_URL !== undefined;
}

/**
 * Leaves a letter for the keeper of letters, in the transaction of what it tells of: nobody waits for a mail server.
 * Where SMTP_URL is not set it does nothing. Returns whether a letter will go out.
 */
export async function queueEmail(app: App, on: Executor, letter: Email): Promise<boolean> {
  if (!sendsMail(app)) return false;
  const id = newId();
  await insertEmail(on, { id, sealed: app.secrets.seal(Buffer.from(JSON.stringify(letter)), `letter:${id}`) });
  return true;
}
