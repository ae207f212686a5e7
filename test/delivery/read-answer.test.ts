import { describe, expect, test } from "vitest";
import { backoffMs, type Outcome, readAnswer, readRetryAfter } from "../../src/delivery/read-answer.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const lanes = ["fcm", "mozilla", "apple", "wns", "https://push.example"];

function read(status: number, lane = "fcm", headers: Record<string, string> = {}): Outcome {
  return readAnswer({ kind: "answered", status, headers, body: "" }, lane, now);
}

describe("an answer of a push service", () => {
  const finals: [number, number][] = [
    [200, 0x20],
    [201, 0x20],
    [202, 0x20],
    [404, 0x30],
    [410, 0x31],
    [400, 0x41],
    [413, 0x42],
    [401, 0x43],
    [403, 0x44],
    [301, 0x45],
    [307, 0x45],
    [204, 0x46],
    [405, 0x46],
    [418, 0x46],
  ];
  for (const [status, code] of finals) {
    test(`with ${status} is final, at every push service, as ${code.toString(16)}`, () => {
      for (const lane of lanes) expect(read(status, lane)).toEqual({ kind: "final", code });
    });
  }

  test("with 429 rests the push service, a minute unless it says how long", () => {
    for (const lane of lanes) {
      expect(read(429, lane)).toEqual({ kind: "retry", afterMs: 60_000, holdsLane: true });
      expect(read(429, lane, { "retry-after": "7" })).toEqual({ kind: "retry", afterMs: 7_000, holdsLane: true });
    }
  });

  test("with 406 is too many at WNS, and a refusal elsewhere", () => {
    for (const lane of lanes) {
      const throttled = { kind: "retry", afterMs: 60_000, holdsLane: true };
      expect(read(406, lane)).toEqual(lane === "wns" ? throttled : { kind: "final", code: 0x46 });
    }
  });

  test("with 503 is tried again, and rests the push service where it says how long", () => {
    expect(read(503)).toEqual({ kind: "retry", afterMs: null, holdsLane: false });
    expect(read(503, "fcm", { "retry-after": "120" })).toEqual({ kind: "retry", afterMs: 120_000, holdsLane: true });
    expect(read(503, "fcm", { "retry-after": "soon" })).toEqual({ kind: "retry", afterMs: null, holdsLane: false });
  });

  test("with 500, 502 or 504 leaves it open whether the message was taken, with another 5xx it was not", () => {
    for (const status of [500, 502, 504]) expect(read(status)).toEqual({ kind: "uncertain" });
    for (const status of [501, 507]) {
      expect(read(status)).toEqual({ kind: "retry", afterMs: null, holdsLane: false });
    }
  });

  test("that never came is uncertain, and a message that never left is tried again", () => {
    expect(readAnswer({ kind: "uncertain", reason: "deadline" }, "fcm", now)).toEqual({ kind: "uncertain" });
    const notSent = (reason: string) => readAnswer({ kind: "notSent", reason }, "fcm", now);
    expect(notSent("goaway")).toEqual({ kind: "retry", afterMs: null, holdsLane: false });
    expect(notSent("connect: ECONNREFUSED")).toEqual({ kind: "retry", afterMs: 2_000, holdsLane: true });
    expect(notSent("origin_not_allowed")).toEqual({ kind: "final", code: 0x47 });
  });
});

describe("Retry-After", () => {
  const day = 24 * 60 * 60 * 1_000;
  const values: [string | undefined, number | null][] = [
    [undefined, null],
    ["5", 5_000],
    ["3600", 3_600_000],
    ["0", 1_000],
    ["999999999", day],
    ["9".repeat(400), day],
    ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 1_000],
    ["Sat, 21 Nov 2096 12:00:00 GMT", day],
    ["soon", null],
    ["", null],
  ];
  for (const [value, ms] of values) {
    test(`of ${value === undefined ? "nothing" : `"${value.slice(0, 40)}"`} is ${ms} ms`, () => {
      expect(readRetryAfter(value, now)).toBe(ms);
    });
  }
});

describe("the pause before a retry", () => {
  test("doubles from a second to five minutes, and is drawn from the upper half", () => {
    const longest = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000];
    longest.forEach((ms, i) => {
      expect([backoffMs(i + 1, 0), backoffMs(i + 1, 1)]).toEqual([ms / 2, ms]);
    });
    expect(backoffMs(0, 1)).toBe(1_000);
    expect(backoffMs(15, 1)).toBe(300_000);
  });
});
