import { describe, expect, test } from "vitest";
import { backoffMs, type Outcome, readAnswer, readRetryAfter } from "../../src/delivery/answers/read-answer.ts";
import { describeAnswer } from "../../src/delivery/answers/refusal-reasons.ts";
import type { PushAnswer } from "../../src/egress/push/transport.ts";

function answered(status: number, headers: Record<string, string>, body: string): PushAnswer {
  return { kind: "answered", status, headers, body };
}

const now = Date.parse("2026-11-21T12:00:00Z");
const pushServices = ["fcm", "mozilla", "apple", "wns", "https://push.example"];

function read(status: number, pushService = "fcm", headers: Record<string, string> = {}, body = ""): Outcome {
  return readAnswer({ kind: "answered", status, headers, body }, pushService, now);
}

const final = (code: number) => ({ kind: "final", code, effect: code === 0x43 || code === 0x44 ? "refused" : "taken" });
const throttled = (ms: number) => ({ kind: "retry", afterMs: ms, restMs: ms, effect: "throttled" });
const failed = { kind: "retry", afterMs: null, effect: "fault" };
const uncertain = { kind: "uncertain", effect: "fault" };

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
    [405, 0x46],
    [418, 0x46],
  ];
  for (const status of [408, 421, 425]) {
    test(`with ${status} was not processed, and is tried again`, () => {
      for (const pushService of pushServices)
        expect(read(status, pushService)).toEqual({ kind: "retry", afterMs: null, effect: "fault" });
    });
  }

  for (const [status, code] of finals) {
    test(`with ${status} is final, at every push service, as ${code.toString(16)}`, () => {
      for (const pushService of pushServices) expect(read(status, pushService)).toEqual(final(code));
    });
  }

  test("with 429 asks for a wait, by default a minute: for this reader alone, except at WNS", () => {
    for (const pushService of pushServices) {
      const perhaps = pushService === "wns" ? {} : { perhapsReader: true };
      expect(read(429, pushService)).toEqual({ ...throttled(60_000), ...perhaps });
      expect(read(429, pushService, { "retry-after": "7" })).toEqual({ ...throttled(7_000), ...perhaps });
    }
  });

  test("with 503 is tried again, and rests the push service where it says how long", () => {
    expect(read(503)).toEqual(failed);
    expect(read(503, "fcm", { "retry-after": "120" })).toEqual(throttled(120_000));
    expect(read(503, "fcm", { "retry-after": "soon" })).toEqual(failed);
  });

  test("with any other 5xx leaves it open whether the message was taken, but for 501 and 505", () => {
    for (const status of [500, 502, 504, 507, 520, 524, 599]) expect(read(status)).toEqual(uncertain);
    for (const status of [501, 505]) expect(read(status)).toEqual(failed);
  });

  test("that never came is uncertain, and a message that never left is tried again", () => {
    expect(readAnswer({ kind: "uncertain", reason: "deadline" }, "fcm", now)).toEqual(uncertain);
    const notSent = (reason: string) => readAnswer({ kind: "notSent", reason }, "fcm", now);
    expect(notSent("connect: ECONNREFUSED")).toEqual(failed);
    expect(notSent("queue_timeout")).toEqual(failed);
    expect(notSent("goaway")).toEqual({ kind: "retry", afterMs: null, effect: "neither" });
    expect(notSent("refused_stream")).toEqual({ kind: "retry", afterMs: null, effect: "throttled" });
    expect(notSent("origin_not_allowed")).toEqual({ kind: "final", code: 0x47, effect: "neither" });
  });
});

describe("what one push service says in its own way", () => {
  test("WNS: 406 is too many, and a refusal elsewhere", () => {
    for (const pushService of pushServices)
      expect(read(406, pushService)).toEqual(pushService === "wns" ? throttled(60_000) : final(0x46));
    expect(read(406, "wns", { "retry-after": "3600" })).toEqual(throttled(3_600_000));
  });

  test("WNS: 200 is also said of what it has thrown away, or of a channel that gets too much", () => {
    const status = (value: string) => ({ "x-wns-notificationstatus": value });
    expect(read(200, "wns", status("received"))).toEqual(final(0x20));
    expect(read(200, "wns", status("dropped"))).toEqual(final(0x49));
    expect(read(200, "wns", status("channelthrottled"))).toEqual({ kind: "retry", afterMs: 60_000, effect: "taken" });
    expect(read(200, "fcm", status("dropped"))).toEqual(final(0x20));
  });

  const said: [string, string, PushAnswer][] = [
    ["Apple's reason", "status 403, BadJwtToken", answered(403, {}, '{"reason":"BadJwtToken"}')],
    ["Mozilla's errno", "status 401, errno 109", answered(401, {}, '{"errno":109}')],
    ["Mozilla's message", "status 401, errno 109, Late", answered(401, {}, '{"errno":109,"message":"Late"}')],
    ["WNS's header", "status 400, Ttl is wrong", answered(400, { "x-wns-error-description": "Ttl is wrong" }, "")],
    ["WNS's status", "status 200, dropped", answered(200, { "x-wns-notificationstatus": "dropped" }, "")],
    ["no words at all", "status 500", answered(500, {}, "<html>")],
    ["a connection's end", "deadline", { kind: "uncertain", reason: "deadline" }],
  ];
  const pushServiceOf = (what: string) =>
    what.startsWith("Apple") ? "apple" : what.startsWith("Mozilla") ? "mozilla" : "wns";
  for (const [what, words, answer] of said) {
    test(`is told to the log: ${what}`, () => expect(describeAnswer(answer, pushServiceOf(what))).toBe(words));
  }

  test("is told in 200 characters at most, and nothing is told of a message that was taken", () => {
    const long = answered(400, { "x-wns-error-description": "x".repeat(5_000) }, "");
    expect(describeAnswer(long, "wns")!.length).toBeLessThan(230);
    expect(describeAnswer(answered(201, {}, ""), "fcm")).toBeUndefined();
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
