import { expect, test } from "vitest";
import { maxPollSeconds } from "../../src/feeds/feed.ts";
import { feedMessages } from "../../src/feeds/messages.ts";
import { freshnessMs, nextPoll, type PollFacts, retryAfterMs } from "../../src/feeds/poll/next-poll.ts";
import { httpsOf } from "../../src/feeds/web-address.ts";

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const lively: PollFacts = {
  failures: 0,
  retryAfterMs: null,
  freshMs: 0,
  ttlMinutes: null,
  quietForMs: 0,
  isPushed: false,
  random: 0,
  pollSeconds: maxPollSeconds,
};
const after = (facts: Partial<PollFacts>) => nextPoll({ ...lively, ...facts }).afterMs;

test("a feed is polled every 30 s, every 2 minutes after a quiet day, 10 after a week", () => {
  expect(after({})).toBe(30 * secondMs);
  expect(after({ quietForMs: 24 * hourMs })).toBe(2 * minuteMs);
  expect(after({ quietForMs: 7 * 24 * hourMs })).toBe(10 * minuteMs);
});

test("a longer pause by Cache-Control or ttl takes precedence, up to six hours, as reason", () => {
  expect(nextPoll({ ...lively, freshMs: 90 * secondMs })).toEqual({
    afterMs: 90_000,
    because: feedMessages.poll_cache_control(),
  });
  expect(nextPoll({ ...lively, freshMs: 90 * secondMs, ttlMinutes: 5 })).toEqual({
    afterMs: 300_000,
    because: feedMessages.poll_ttl(),
  });
  expect(after({ freshMs: 10 * secondMs })).toBe(30 * secondMs);
  expect(after({ ttlMinutes: 999_999 })).toBe(6 * hourMs);
});

test("a feed whose hub pushes is still polled within a minute", () => {
  expect(after({ isPushed: true })).toBe(50 * secondMs);
  expect(after({ isPushed: true, random: 1 })).toBeLessThan(minuteMs);
  expect(after({ isPushed: true, quietForMs: 24 * hourMs })).toBe(2 * minuteMs);
});

test("an owner's pause holds against ttl, Cache-Control and quiet, never against failures", () => {
  const set = { pollSeconds: 45 };
  expect(nextPoll({ ...lively, ...set, ttlMinutes: 60 })).toEqual({
    afterMs: 45_000,
    because: feedMessages.poll_owner(),
  });
  expect(after({ ...set, freshMs: hourMs, quietForMs: 7 * 24 * hourMs })).toBe(45 * secondMs);
  expect(after({ ...set, isPushed: true })).toBe(45 * secondMs);
  expect(after({ pollSeconds: 3_600 })).toBe(30 * secondMs);
  expect(after({ ...set, failures: 3 })).toBe(2 * minuteMs);
  expect(after({ ...set, failures: 1, retryAfterMs: hourMs })).toBe(hourMs);
});

test("failures double the pause up to an hour; a longer Retry-After counts, up to a day", () => {
  expect([1, 2, 3, 4].map((failures) => after({ failures }))).toEqual([30, 60, 120, 240].map((s) => s * secondMs));
  expect(after({ failures: 1_000 })).toBe(hourMs);
  expect(after({ failures: 1, retryAfterMs: 5 * hourMs })).toBe(5 * hourMs);
  expect(after({ failures: 5, retryAfterMs: 1_000 })).toBe(8 * minuteMs);
  expect(after({ failures: 1, retryAfterMs: 365 * 24 * hourMs })).toBe(24 * hourMs);
});

test("chance adds up to a tenth to the pause, which spreads the polls of feeds", () => {
  expect(after({ random: 0.5 })).toBe(31_500);
});

test.for([
  ["max-age=60", "", 60],
  ["public, max-age=300, s-maxage=9", "120", 180],
  ["max-age=60", "600", 0],
  ["no-cache, max-age=60", "", 0],
  ["x-max-age=60", "", 0],
  ['max-age="60"', "abc", 60],
  ["", "", 0],
] as const)("Cache-Control %s with Age %s is fresh for %s s", ([cacheControl, age, seconds]) => {
  expect(freshnessMs(cacheControl, age)).toBe(seconds * secondMs);
});

test("Retry-After is read as seconds and as a date, and is null if it is neither", () => {
  const nowMs = Date.UTC(2026, 2, 2);
  expect(retryAfterMs("120", nowMs)).toBe(120_000);
  expect(retryAfterMs("Mon, 02 Mar 2026 00:05:00 GMT", nowMs)).toBe(300_000);
  expect(retryAfterMs("Mon, 02 Mar 2020 00:05:00 GMT", nowMs)).toBe(0);
  expect(retryAfterMs("later", nowMs)).toBeNull();
});

test("an http:// address becomes https://, unless it has a port other than 80", () => {
  expect(httpsOf("http://a.example/x?y#z")).toBe("https://a.example/x?y#z");
  expect(httpsOf("http://a.example:80")).toBe("https://a.example");
  expect(httpsOf("http://a.example:8080/x")).toBe("http://a.example:8080/x");
  expect(httpsOf("https://a.example/http://b.example/")).toBe("https://a.example/http://b.example/");
});
