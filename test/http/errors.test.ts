import { expect, test } from "vitest";
import { appError, errorRegistry } from "../../src/errors.ts";
import { errorBody, statusOf, toAppError } from "../../src/http/errors.ts";

test("each status of the specification belongs to its code", () => {
  const statuses = (["unauthenticated", "billing", "dpa_required", "illegal_transition", "send_paused"] as const).map(
    statusOf,
  );
  expect(statuses).toEqual([401, 402, 403, 409, 423]);
});

test("every code has a status from 400 on and a sentence that says what to do", () => {
  for (const code of Object.keys(errorRegistry) as (keyof typeof errorRegistry)[]) {
    expect(statusOf(code)).toBeGreaterThanOrEqual(400);
    expect(errorRegistry[code].message).toMatch(/^[A-Z].*\.$/);
  }
});

test("a 401 for a missing key has no code, as the specification's table says", () => {
  expect(errorBody(appError("unauthenticated"), "id")).toEqual({ message: expect.any(String), requestId: "id" });
});

test.each([
  ["a value that no column takes", { code: "22021" }, "validation_failed"],
  ["a database that is not there", { code: "ECONNREFUSED" }, "unavailable"],
  ["a database that restarts", { code: "57P01" }, "unavailable"],
  ["a deadlock", { code: "40P01" }, "unavailable"],
  ["no connection in time", new Error("timeout exceeded when trying to connect"), "unavailable"],
  ["a connection that was lost", new Error("Connection terminated unexpectedly"), "unavailable"],
  [
    "a connection that was lost before",
    new Error("Client has encountered a connection error and is not queryable"),
    "unavailable",
  ],
  ["a request that was not answered in time", { code: "FST_ERR_HANDLER_TIMEOUT" }, "unavailable"],
  ["what nobody foresaw", new TypeError("x is undefined"), "internal"],
  ["what is no error at all", "text", "internal"],
])("%s is shown as it should be", (_, error, code) => {
  expect(toAppError(error).code).toBe(code);
});
