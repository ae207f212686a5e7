import type { App } from "../app.ts";
import { createMailer, type Email, type Mailer } from "../egress/smtp.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { traced } from "../tracing.ts";
import { type ClaimedEmail, claimEmail, deleteEmail } from "./queries.ts";
import { sealContext } from "./queue-email.ts";

const lookEveryMs = 2_000;
const endWithinMs = 5_000;

/** Seconds from each try to the next. The sixth try, a little over five hours after the first, is the last. */
export const againAfterSeconds = [60, 300, 900, 3_600, 14_400];
const maxTries = againAfterSeconds.length + 1;

/**
 * Sends all e-mails that are due, one after the other. Any number of processes may call it. When a process dies after
 * the server accepted an e-mail, the e-mail is sent again with the same Message-ID. Returns how many were sent.
 */
export async function sendDueEmails(app: App, mailer: Mailer, isEnding = () => false): Promise<number> {
  for (let sent = 0; ; ) {
    const claimed = isEnding() ? undefined : await claimEmail(app.db, againAfterSeconds);
    if (claimed === undefined) return sent;
    if (await sendOne(app, mailer, claimed)) sent++;
  }
}

async function sendOne(app: App, mailer: Mailer, { id, sealed, tries }: ClaimedEmail): Promise<boolean> {
  const email = JSON.parse(app.secrets.open(sealed, sealContext(id)).toString()) as Email;
  const result = await traced("send an e-mail", { "pressbell.email_id": id }, async (span) => {
    const posted = await mailer.post(email, `<${id}@pressbell>`);
    span.setAttribute("pressbell.outcome", posted.outcome);
    return posted;
  });
  if (result.outcome === "sent") {
    await deleteEmail(app.db, id);
    return true;
  }
  // The log gets the reason, but never the recipient.
  const { reason } = result;
  if (result.outcome === "refused" || tries >= maxTries) {
    await deleteEmail(app.db, id);
    app.log.error({ emailId: id, reason, tries }, "an e-mail could not be sent and was given up");
  } else {
    app.log.warn({ emailId: id, reason, tries }, "an e-mail could not be sent and will be tried again");
  }
  return false;
}

/** Sends e-mails as they become due, until it is stopped. Does nothing if SMTP_URL is not set. */
export function startEmailPoller(app: App): PollLoop {
  const { SMTP_URL, MAIL_FROM } = app.config;
  if (SMTP_URL === undefined) return { stop: async () => {} };
  const mailer = createMailer(SMTP_URL, MAIL_FROM!);
  return startPollLoop({
    async round(stopping) {
      await sendDueEmails(app, mailer, () => stopping.aborted);
    },
    everyMs: lookEveryMs,
    firstAfterMs: lookEveryMs,
    onFault: (error) => app.log.warn({ err: error }, "e-mails could not be read; will retry"),
    // A hanging mail server must not delay the end of the process. An e-mail that it may have accepted is sent again
    // with the same Message-ID.
    stopWithinMs: endWithinMs,
  });
}
