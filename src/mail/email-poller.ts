import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../app.ts";
import { createMailer, type Email, type Mailer } from "../egress/smtp.ts";
import { type ClaimedEmail, claimEmail, deleteEmail } from "./queries.ts";

const lookEveryMs = 2_000;
const endWithinMs = 5_000;

/** Seconds from each try to the next: after the sixth, some five hours on, a letter is given up. */
export const againAfterSeconds = [60, 300, 900, 3_600, 14_400];
const triesAtMost = againAfterSeconds.length + 1;

/**
 * Sends every letter that is due, one after the other, in any number of processes. One whose sender dies after the
 * server took it goes out again, with the same Message-ID. Returns how many were sent.
 */
export async function sendDueEmails(app: App, mailer: Mailer, isEnding = () => false): Promise<number> {
  for (let sent = 0; ; ) {
    const claimed = isEnding() ? undefined : await claimEmail(app.db, againAfterSeconds);
    if (claimed === undefined) return sent;
    if (await sendOne(app, mailer, claimed)) sent++;
  }
}

async function sendOne(app: App, mailer: Mailer, { id, sealed, tries }: ClaimedEmail): Promise<boolean> {
  const letter = JSON.parse(app.secrets.open(sealed, `letter:${id}`).toString()) as Email;
  const result = await mailer.post(letter, `<${id}@pressbell>`);
  if (result.outcome === "sent") {
    await deleteEmail(app.db, id);
    return true;
  }
  // The log is told why, never whom it was for.
  const { reason } = result;
  if (result.outcome === "refused" || tries >= triesAtMost) {
    await deleteEmail(app.db, id);
    app.log.error({ emailId: id, reason, tries }, "an e-mail could not be sent and was given up");
  } else {
    app.log.warn({ emailId: id, reason, tries }, "an e-mail could not be sent and will be tried again");
  }
  return false;
}

/** Sends letters as they come, until it is stopped. Does nothing where SMTP_URL is not set. */
export function startEmailPoller(app: App): { stop(): Promise<void> } {
  const { SMTP_URL, MAIL_FROM } = app.config;
  if (SMTP_URL === undefined) return { stop: async () => {} };
  const mailer = createMailer(SMTP_URL, MAIL_FROM!);
  let isStopping = false;
  let round = Promise.resolve();
  const work = async () => {
    try {
      await sendDueEmails(app, mailer, () => isStopping);
    } catch (error) {
      app.log.warn({ err: error }, "letters could not be read and will be again");
    }
  };
  let isAtWork = false;
  const timer = setInterval(() => {
    if (isAtWork) return;
    isAtWork = true;
    round = work().finally(() => {
      isAtWork = false;
    });
  }, lookEveryMs);
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      // A server that hangs does not hold the end up: what it may have taken goes out again with the same Message-ID.
      await Promise.race([round, delay(endWithinMs, undefined, { ref: false })]);
    },
  };
}
