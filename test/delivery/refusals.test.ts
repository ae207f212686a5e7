import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/delivery/answers/read-answer.ts";
import { describeAnswer, unknownReason } from "../../src/delivery/answers/refusal-reasons.ts";
import { type KnownRefusal, knownRefusals } from "../../src/delivery/answers/refusal-table.ts";
import type { PushAnswer } from "../../src/egress/push/transport.ts";
import { finalCode, finalCodes } from "../../src/runs/ledger/codes.ts";
import { writeRefusal } from "../fixtures/push-service/behaviours.ts";

const pushServices = ["fcm", "apple", "mozilla", "wns"] as const;

const answered = (status: number, headers: Record<string, string>, body: string): PushAnswer => ({
  kind: "answered",
  status,
  headers,
  body,
});

function codeOf(pushService: string, answer: PushAnswer): number {
  const outcome = readAnswer(answer, pushService, 0);
  if (outcome.kind !== "final") throw new Error(`${outcome.kind} is not final`);
  return outcome.code;
}

describe("a reason that is known", () => {
  test.each(knownRefusals)("$pushService, $status $reason is read as the table says", (known) => {
    const { headers, body } = writeRefusal(known.pushService, known.reason);
    const answer = answered(known.status, headers, body);
    expect(codeOf(known.pushService, answer)).toBe(known.code);
    expect(unknownReason(answer, known.pushService, known.code)).toBeUndefined();
  });

  const keyRefusals = knownRefusals.filter(
    ({ code }) => code === finalCode.forbidden || code === finalCode.unauthorized,
  );
  test.each(keyRefusals)("$pushService, $reason is about the key with any status", (known) => {
    const { headers, body } = writeRefusal(known.pushService, known.reason);
    for (const status of [400, 401, 403]) {
      expect(codeOf(known.pushService, answered(status, headers, body))).toBe(known.code);
    }
  });

  // Answers that people have recorded and reported.
  const recorded: [string, number, string, Record<string, string>, keyof typeof finalCode][] = [
    ["apple", 400, '{"reason":"VapidPkHashMismatch"}', {}, "forbidden"],
    ["apple", 403, '{"reason":"VapidPkHashMismatch"}', {}, "forbidden"],
    ["apple", 403, '{"reason":"BadJwtToken"}', {}, "unauthorized"],
    ["fcm", 400, "<HTML><HEAD><TITLE>UnauthorizedRegistration</TITLE></HEAD></HTML>", {}, "unauthorized"],
    ["fcm", 403, "permission denied: invalid JWT provided\n", {}, "unauthorized"],
    ["fcm", 403, "<HTML>\n<HEAD>\n<TITLE>MismatchSenderId</TITLE>\n</HEAD></HTML>", {}, "forbidden"],
    [
      ...(["fcm", 403] as const),
      "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.\n",
      ...([{}, "forbidden"] as const),
    ],
    [
      ...(["mozilla", 401] as const),
      '{"code":401,"errno":109,"error":"Unauthorized","message":"VAPID public key mismatch","more_info":"…"}',
      ...([{}, "forbidden"] as const),
    ],
    ["mozilla", 401, '{"code":401,"errno":109,"message":"Invalid VAPID token"}', {}, "unauthorized"],
    [
      ...(["wns", 403, ""] as const),
      { "x-wns-error-description": "Channel URL incompatible with caller app", "x-wns-notificationstatus": "dropped" },
      "forbidden",
    ],
  ];
  test.each(recorded)("%s answers %i %s", (pushService, status, body, headers, name) => {
    expect(codeOf(pushService, answered(status, headers, body))).toBe(finalCode[name]);
  });
});

describe("a reason that is not known", () => {
  const code = finalCode.badRequest;

  test("leaves the meaning to the status, and is told with it", () => {
    const said = { fcm: "InvalidTtl", apple: "NewReason", mozilla: "errno 199", wns: "Something new" };
    for (const pushService of pushServices) {
      const { headers, body } = writeRefusal(pushService, said[pushService]);
      const answer = answered(400, headers, body);
      expect(codeOf(pushService, answer)).toBe(code);
      expect(unknownReason(answer, pushService, code)).toContain(`status 400, `);
      expect(unknownReason(answer, pushService, code)).toContain(said[pushService]);
    }
  });

  test.each(["VapidPkHashMismatchX", "NoVapidPkHashMismatch", "VapidPkHash", "vapid"])(
    "is %s, near a known one",
    (reason) => {
      expect(codeOf("apple", answered(400, {}, JSON.stringify({ reason })))).toBe(code);
    },
  );

  test.each(["", "null", "[]", '{"reason":7}', '{"reason":', "BadJwtToken"])("is none in Apple's %s", (body) => {
    expect(codeOf("apple", answered(403, {}, body))).toBe(finalCode.forbidden);
    expect(unknownReason(answered(403, {}, body), "apple", finalCode.forbidden)).toBeUndefined();
  });

  test("is not told of readers who have left, messages that were taken, or broken connections", () => {
    expect(unknownReason(answered(410, {}, "bye"), "fcm", finalCode.gone)).toBeUndefined();
    expect(unknownReason(answered(201, {}, "hello"), "fcm", finalCode.accepted)).toBeUndefined();
    expect(
      unknownReason({ kind: "notSent", reason: "origin_not_allowed" }, "fcm", finalCode.originNotAllowed),
    ).toBeUndefined();
  });

  test("of one service is not read in the words of another", () => {
    expect(codeOf("fcm", answered(400, {}, '{"reason":"VapidPkHashMismatch"}'))).toBe(code);
    expect(codeOf("https://push.example", answered(400, {}, '{"reason":"VapidPkHashMismatch"}'))).toBe(code);
  });

  test("any bytes of a push service give a code and at most one short line without an address", () => {
    const bodies = fc.oneof(
      fc.string({ unit: "binary", maxLength: 3_000 }),
      fc.json(),
      fc
        .record({ reason: fc.string({ unit: "binary" }), errno: fc.anything(), message: fc.anything() })
        .map((one) => JSON.stringify(one)),
    );
    const statuses = fc.constantFrom(300, 400, 401, 403, 404, 405, 410, 413, 418);
    fc.assert(
      fc.property(
        fc.constantFrom(...pushServices, "https://push.example"),
        statuses,
        bodies,
        (pushService, status, body) => {
          const answer = answered(status, { "x-wns-error-description": body }, body);
          const read = codeOf(pushService, answer);
          expect(finalCodes).toHaveProperty(String(read));
          const line = unknownReason(answer, pushService, read as typeof code) ?? "";
          expect(line).toMatch(/^[^\p{C}]{0,220}$/u);
        },
      ),
    );
    const token = `https://fcm.googleapis.com/fcm/send/${"aB9-_:".repeat(25)}`;
    expect(describeAnswer(answered(400, {}, `bad endpoint ${token} of you`), "fcm")).toBe(
      "status 400, bad endpoint … of you",
    );
  });
});

test("docs/push-services.md has the table", async () => {
  const page = await readFile(new URL("../../docs/push-services.md", import.meta.url), "utf8");
  const names = { fcm: "FCM", apple: "Apple", mozilla: "Mozilla", wns: "WNS" };
  const written = page.split("\n").filter((line) => /^\| (FCM|Apple|Mozilla|WNS) \|/.test(line));
  const reasonsOf = ({ pushService, status, code }: KnownRefusal) =>
    knownRefusals
      .filter((other) => other.pushService === pushService && other.status === status && other.code === code)
      .map(({ reason }) => reason)
      .join("; ");
  const rows = knownRefusals.map(
    (known) =>
      `| ${names[known.pushService]} | ${known.status} | ${reasonsOf(known)} | ${finalCodes[known.code].reason} |`,
  );
  expect(written).toEqual([...new Set(rows)]);
});
