import { expect, test } from "vitest";
import { appError, errorRegistry } from "../../src/errors.ts";
import { errorBody, statusOf, toAppError } from "../../src/http/errors.ts";

test("each code has the status of the specification", () => {
  const statuses = (["unauthenticated", "billing", "dpa_required", "illegal_transition", "send_paused"] as const).map(
    statusOf,
  );
  expect(statuses).toEqual([401, 402, 403, 409, 423]);
});

test("every code has a status of 400 or above and a message that says what to do", () => {
  for (const code of Object.keys(errorRegistry) as (keyof typeof errorRegistry)[]) {
    expect(statusOf(code)).toBeGreaterThanOrEqual(400);
    expect(errorRegistry[code].message).toMatch(/^[A-Z].*\.$/);
  }
});

test("the body of a 401 for a missing key has no code, as in the specification's table", () => {
  expect(errorBody(appError("unauthenticated"), "id")).toEqual({ message: expect.any(String), requestId: "id" });
});

test.each([
  ["a value that a column cannot store", { code: "22021" }, "validation_failed"],
  ["an unreachable database", { code: "ECONNREFUSED" }, "unavailable"],
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
  ["an unexpected error", new TypeError("x is undefined"), "internal"],
  ["a thrown text", "text", "internal"],
])("%s is mapped to its code", (_, error, code) => {
  expect(toAppError(error).code).toBe(code);
});
