import { expect, test } from "vitest";
import { type ErrorCode, errorRegistry } from "../../src/errors.ts";
import { statusOf } from "../../src/http/errors.ts";
import { entriesOf, readPage } from "./pages.ts";

test("docs/errors.md names each code once, with its status, and in each entry says what to do", async () => {
  const entries = entriesOf(await readPage("docs/errors.md"));
  const documented = entries.map(({ name, value }) => `${name} ${value}`).toSorted();
  const codes = Object.keys(errorRegistry) as ErrorCode[];
  expect(documented).toEqual(codes.map((code) => `${code} ${statusOf(code)}`).toSorted());
  for (const entry of entries) expect(Object.values(entry)).not.toContain("");
});
