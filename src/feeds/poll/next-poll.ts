import type { Message } from "../../messages.ts";
import { maxPollSeconds } from "../feed.ts";
import { feedMessages as messages } from "../messages.ts";

/** The facts that decide when a feed is polled next. Durations in ms. */
export type PollFacts = {
  /** The number of polls that failed in a row, this one included. 0: this one succeeded. */
  failures: number;
  /** The wait that a failed answer asks for (Retry-After). */
  retryAfterMs: number | null;
  /** How long the answer is still fresh by its Cache-Control and Age. */
  freshMs: number;
  /** The `ttl` of RSS 2.0: how long the feed may be cached. */
  ttlMinutes: number | null;
  /** The longest pause after a poll that succeeds: `maxPollSeconds`, unless an owner has set a shorter one. */
  pollSeconds: number;
  /** Time since the last new item, or since the first poll. */
  quietForMs: number;
  /** Whether the feed's hub pushes new entries, and has missed none since its last push. */
  isPushed: boolean;
  /** 0 to 1. Spreads the polls of feeds that were added together. */
  random: number;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const activeMs = 30 * secondMs;
const calmMs = 2 * minuteMs;
const quietMs = 10 * minuteMs;
/**
 * The pause of a feed whose hub pushes. If the hub misses a story, a poll finds it less than a minute later than
 * usual, even with `random`.
 */
const pushedMs = 50 * secondMs;
const maxBackoffMs = hourMs;

/**
 * Returns the pause until a feed's next poll in ms, and its reason in words for the owner. A feed is polled every 30 s
 * if it had a new item within a day, every 2 min after a day without one, and every 10 min after a week without one.
 * The pause is never shorter than Cache-Control and ttl allow, unless an owner has set a shorter one. A feed that
 * fails backs off: 30 s, doubled with each failure up to an hour, and not sooner than Retry-After allows. `random`
 * adds up to a tenth of the pause.
 */
export function nextPoll(facts: PollFacts): { afterMs: number; because: Message } {
  const { afterMs, because } = facts.failures > 0 ? afterFailure(facts) : afterSuccess(facts);
  return { afterMs: Math.round(afterMs * (1 + facts.random / 10)), because };
}

function afterFailure({ failures, retryAfterMs }: PollFacts): { afterMs: number; because: Message } {
  const backoffMs = Math.min(maxBackoffMs, activeMs * 2 ** Math.min(failures - 1, 10));
  const askedMs = Math.min(retryAfterMs ?? 0, dayMs);
  if (askedMs > backoffMs) return { afterMs: askedMs, because: messages.poll_retry_after() };
  return { afterMs: backoffMs, because: failures === 1 ? messages.poll_failed() : messages.polls_failed({ failures }) };
}

function afterSuccess(facts: PollFacts): { afterMs: number; because: Message } {
  const asked = [
    { afterMs: facts.freshMs, because: messages.poll_cache_control() },
    { afterMs: (facts.ttlMinutes ?? 0) * minuteMs, because: messages.poll_ttl() },
  ];
  const usual =
    facts.quietForMs < dayMs
      ? { afterMs: activeMs, because: messages.poll_lively() }
      : facts.quietForMs < 7 * dayMs
        ? { afterMs: calmMs, because: messages.poll_quiet_day() }
        : { afterMs: quietMs, because: messages.poll_quiet_week() };
  const pushed = { afterMs: facts.isPushed ? pushedMs : 0, because: messages.poll_hub() };
  const longest = [usual, pushed, ...asked].reduce((a, b) => (b.afterMs > a.afterMs ? b : a));
  const maxMs = facts.pollSeconds * secondMs;
  if (longest.afterMs <= maxMs) return longest;
  return { afterMs: maxMs, because: facts.pollSeconds < maxPollSeconds ? messages.poll_owner() : longest.because };
}

/**
 * Returns how long an answer is still fresh, in ms: the max-age of its Cache-Control minus its Age (RFC 9111 section
 * 4.2). Returns 0 for no-cache and no-store, and if there is no max-age.
 */
export function freshnessMs(cacheControl: string, age: string): number {
  if (/\b(no-cache|no-store)\b/i.test(cacheControl)) return 0;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl)?.[1];
  const ageSeconds = /^\s*(\d{1,10})\s*$/.exec(age)?.[1];
  return Math.max(0, Number(seconds ?? 0) - Number(ageSeconds ?? 0)) * secondMs;
}

/**
 * Returns the wait that a Retry-After asks for, in ms. The header has seconds or an HTTP date (RFC 9110 section
 * 10.2.3). Returns null if it has neither.
 */
export function retryAfterMs(text: string, nowMs: number): number | null {
  if (/^\s*\d{1,10}\s*$/.test(text)) return Number(text) * secondMs;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
