import { expect, test } from "vitest";
import { messageOf, refusals, wordsOfEnd } from "../../dashboard/src/api/refusals.ts";
import { type ErrorCode, errorRegistry } from "../../src/errors.ts";

const codes = Object.keys(errorRegistry) as ErrorCode[];

/** What belongs to the API, the command line or our own code, and says nothing to an editor. */
const foreign =
  /\b(API|JSON|UUID|HTTP|tenant|header|Idempotency|Bearer|PUBLIC_URL|DATA_DIR|ALLOW_\w+|CLI)\b|`|--|_|requestId/;

test("every error code has its place in the dashboard's words", () => {
  expect(Object.keys(refusals).toSorted()).toEqual(codes.toSorted());
});

test.each(codes.filter((code) => refusals[code] !== null))(
  "%s is said in the dashboard's words, with what to do",
  (code) => {
    const words = messageOf({ code, message: errorRegistry[code].message });
    expect(words).not.toMatch(foreign);
    expect(words).toMatch(/^[A-Z].*\.$/);
  },
);

test("what the service says case by case, and an unknown code, keep its sentence", () => {
  expect(messageOf({ code: "not_found", message: "This topic is gone." })).toBe("This topic is gone.");
  expect(messageOf({ code: "constructor", message: "As it is." })).toBe("As it is.");
});

test("each end of a confirmed send has words", () => {
  for (const code of ["changed", "late", "forbidden", "confirmation_required", "send_paused", "illegal_transition"]) {
    expect(wordsOfEnd(code)).not.toMatch(foreign);
  }
  expect(wordsOfEnd(null)).toBe("Look at it again, then send it.");
});
