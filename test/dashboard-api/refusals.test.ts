import { expect, test } from "vitest";
import { foreign, messageOf, wordsOfEnd } from "../../dashboard/src/api/refusals.ts";
import { words as dashboard, loadWords } from "../../dashboard/src/words/words.ts";
import { type ErrorCode, errorRegistry } from "../../src/errors.ts";

await loadWords(["refusals"], "en");

const codes = Object.keys(errorRegistry) as ErrorCode[];

test("every error code has its place in the dashboard's words", () => {
  expect(Object.keys(dashboard.refusals.ofCodes).toSorted()).toEqual(codes.toSorted());
});

test.each(codes)("%s is said in the dashboard's words, with what to do", (code) => {
  const words = messageOf({ code, message: errorRegistry[code].message });
  expect(words).not.toMatch(foreign);
  expect(words).toMatch(/^[A-Z].*\.$/);
});

test("a sentence about ids or tenants does not reach a page", () => {
  const gone = { code: "not_found", message: "There is no site 018f3a52-7d1c-7a3e-9d20-0b1f5f4c2a11." };
  expect(messageOf(gone)).toBe("This is not here any more. Go back and load the list again.");
  expect(messageOf({ code: "not_found", message: "There is no such site in this tenant." })).not.toContain("tenant");
});

test("a refusal that ends by itself says how long it lasts", () => {
  const wait = (retryAfterSeconds: number) =>
    messageOf({ code: "rate_limited", message: errorRegistry.rate_limited.message, retryAfterSeconds });
  expect(wait(1)).toBe("Too many tries. Try again in 1 second.");
  expect(wait(840)).toBe("Too many tries. Try again in 14 minutes.");
  expect(wait(7_000)).toBe("Too many tries. Try again in 2 hours.");
});

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
