import { expect, test } from "vitest";
import { type ErrorCode, errorRegistry } from "../../src/errors.ts";
import { statusOf } from "../../src/http/errors.ts";
import { readPage, tableOf } from "./pages.ts";

test("docs/errors.md names each code once, with its status, and in each row says what to do", async () => {
  const rows = tableOf(await readPage("docs/errors.md"), ["code", "status", "meaning", "what to do"]);
  const documented = rows.map(({ code, status }) => `${code} ${status}`).toSorted();
  const codes = Object.keys(errorRegistry) as ErrorCode[];
  expect(documented).toEqual(codes.map((code) => `${code} ${statusOf(code)}`).toSorted());
  for (const row of rows) expect(Object.values(row)).not.toContain("");
});
