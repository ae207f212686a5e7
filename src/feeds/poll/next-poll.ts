/** What decides when a feed is polled again. Times in ms. */
export type PollFacts = {
  /** Polls that failed in a row, this one included. */
  failures: number;
  /** What a failed answer asked for (Retry-After). */
  retryAfterMs: number | null;
  /** For how long the answer is fresh by its own account (Cache-Control, less its Age). */
  freshMs: number;
  ttlMinutes: number | null;
  /** Since the last new item, or the first poll. */
  quietForMs: number;
  /** Whether its hub tells of what is new, and has missed nothing since it last did. */
  isPushed: boolean;
  /** 0 to 1, so that feeds do not come in step. */
  random: number;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const livelyMs = 30 * secondMs;
const calmMs = 2 * minuteMs;
const sleepingMs = 10 * minuteMs;
const pushedMs = 10 * minuteMs;
const longestBackoffMs = hourMs;
/** A publisher who asks for more has made a mistake: nothing would ever go out. */
const longestAskedMs = 6 * hourMs;

/**
 * In how many ms a feed is polled again, and why, in words for its owner. Lively feeds every 30 s; never sooner than
 * the publisher's own Cache-Control and ttl allow; failing ones ever more rarely, and not before Retry-After.
 */
export function nextPoll(facts: PollFacts): { afterMs: number; because: string } {
  const { afterMs, because } = facts.failures > 0 ? afterFailure(facts) : afterSuccess(facts);
  return { afterMs: Math.round(afterMs * (1 + facts.random / 10)), because };
}

function afterFailure({ failures, retryAfterMs }: PollFacts): { afterMs: number; because: string } {
  const backoffMs = Math.min(longestBackoffMs, livelyMs * 2 ** Math.min(failures - 1, 10));
  const askedMs = Math.min(retryAfterMs ?? 0, dayMs);
  if (askedMs > backoffMs) return { afterMs: askedMs, because: "its server asks to wait (Retry-After)" };
  return { afterMs: backoffMs, because: failures === 1 ? "the last poll failed" : `the last ${failures} polls failed` };
}

function afterSuccess(facts: PollFacts): { afterMs: number; because: string } {
  const own = [
    { afterMs: facts.freshMs, because: "its Cache-Control asks for it" },
    { afterMs: (facts.ttlMinutes ?? 0) * minuteMs, because: "its ttl asks for it" },
  ];
  const pace =
    facts.quietForMs < dayMs
      ? { afterMs: livelyMs, because: "it is lively" }
      : facts.quietForMs < 7 * dayMs
        ? { afterMs: calmMs, because: "nothing new came for a day" }
        : { afterMs: sleepingMs, because: "nothing new came for a week" };
  const pushed = { afterMs: facts.isPushed ? pushedMs : 0, because: "its hub tells of what is new" };
  const wanted = [pace, pushed, ...own].reduce((most, one) => (one.afterMs > most.afterMs ? one : most));
  return { ...wanted, afterMs: Math.min(wanted.afterMs, longestAskedMs) };
}

/** For how many ms an answer is fresh by its Cache-Control, less its Age (RFC 9111 section 4.2). */
export function freshnessMs(cacheControl: string, age: string): number {
  if (/\b(no-cache|no-store)\b/i.test(cacheControl)) return 0;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl)?.[1];
  const passed = /^\s*(\d{1,10})\s*$/.exec(age)?.[1];
  return Math.max(0, Number(seconds ?? 0) - Number(passed ?? 0)) * secondMs;
}

/** How long a Retry-After asks to wait, in ms: seconds or an HTTP date (RFC 9110 section 10.2.3); null for neither. */
export function retryAfterMs(text: string, nowMs: number): number | null {
  if (/^\s*\d{1,10}\s*$/.test(text)) return Number(text) * secondMs;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
