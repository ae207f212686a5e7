import { expect, test } from "vitest";
import { settings } from "../../src/config.ts";
import { readPage, tableOf } from "./pages.ts";

test("docs/configuration.md names each setting once, with its default, in the order of the code", async () => {
  const rows = tableOf(await readPage("docs/configuration.md"), ["setting", "default", "meaning"]);
  const defaults = settings.parse({}) as Record<string, unknown>;
  const written = (name: string) => {
    if (name === "WORKERS") return "the number of cores";
    return defaults[name] === undefined ? "unset" : JSON.stringify(defaults[name]);
  };
  const inCode = Object.keys(settings.shape).map((name) => ({ setting: name, default: written(name) }));
  expect(rows.map(({ setting, default: value }) => ({ setting, default: value }))).toEqual(inCode);
  for (const { meaning } of rows) expect(meaning).not.toBe("");
});
