import type { App } from "../app.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { traced } from "../tracing.ts";
import { claimDue, type DueOccurrence, type DueRecurringSend } from "./due-queries.ts";
import { nextOccurrence } from "./occurrences.ts";
import { updateNext } from "./queries.ts";
import { sendDueOccurrence } from "./send-due.ts";

const lookEveryMs = 1_000;

/**
 * Longer than reading a page takes. After a fault or the death of a process, the recurring send is tried again after
 * this time.
 */
const leaseMs = 60_000;

/** How many a process works on at once. Many are due at the full hour, and each reads a page. */
const atOnce = 4;

/** Starts the poll loop of recurring sends; any number of processes may run one. */
export function startRecurringSendPoller(app: App): PollLoop {
  return startPollLoop({
    round: (stopping) => sendDueRecurringSends(app, stopping),
    everyMs: lookEveryMs,
    onFault: (error) => app.log.warn({ err: error }, "recurring sends could not be read; will retry"),
  });
}

/** Works on all recurring sends that are due by the database's clock, until none is left or `stopping` is aborted. */
export async function sendDueRecurringSends(app: App, stopping?: AbortSignal): Promise<void> {
  const workUntilNone = async () => {
    while (stopping?.aborted !== true) {
      const due = await claimDue(app.db, leaseMs);
      if (due === undefined) return;
      await workOn(app, due);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workUntilNone));
}

/** Works on one recurring send. A failure delays no other. The recurring send is claimed again when its lease ends. */
async function workOn(app: App, due: DueRecurringSend): Promise<void> {
  const recurringSendId = due.id;
  try {
    if (!isPlanned(due)) return await replan(app, due);
    const ids = { "pressbell.recurring_send_id": recurringSendId };
    const { kind, ...run } = await traced("send the newest story", ids, () => sendDueOccurrence(app, due));
    app.log.info({ recurringSendId, day: due.day, outcome: kind, ...run }, "an occurrence of a recurring send was due");
  } catch (error) {
    app.log.error({ err: error, recurringSendId }, "a recurring send failed; will retry");
  }
}

/** Returns whether the next occurrence is known, and was computed in the current time zone of the site. */
function isPlanned(due: DueRecurringSend): due is DueOccurrence {
  return due.day !== null && due.dueAt !== null && due.zone === due.timeZone;
}

/** Computes and stores the next occurrence from now on, after a restore or a change of the time zone. */
async function replan(app: App, due: DueRecurringSend): Promise<void> {
  const next = nextOccurrence(due, due.timeZone, { afterMs: due.nowMs, afterDay: due.lastDay });
  await updateNext(app.db, due.id, next, due.timeZone);
}
