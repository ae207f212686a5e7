import { expect, test } from "vitest";
import { settings } from "../../src/config.ts";
import { secretSettings } from "../../src/secret-files.ts";
import { entriesOf, readPage } from "./pages.ts";

test("docs/configuration.md names each setting once, with its default, in the order of the code", async () => {
  const entries = entriesOf(await readPage("docs/configuration.md"));
  const defaults = settings.parse({}) as Record<string, unknown>;
  const written = (name: string) => {
    if (name === "WORKERS") return "the number of cores";
    return defaults[name] === undefined ? "unset" : JSON.stringify(defaults[name]);
  };
  const inCode = Object.keys(settings.shape).map((name) => ({ name, value: written(name) }));
  expect(entries.map(({ name, value }) => ({ name, value }))).toEqual(inCode);
  for (const { text } of entries) expect(text).not.toBe("");
});

test("docs/configuration.md names each setting that a file may hold, in the order of the code", async () => {
  const page = await readPage("docs/configuration.md");
  const named = [...page.matchAll(/`(\w+)_FILE`/g)].map(([, name]) => name);
  expect(named).toEqual(secretSettings);
  expect(Object.keys(settings.shape).filter((name) => named.includes(name))).toEqual(named);
});
