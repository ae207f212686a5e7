import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { type FaultCode, fault, faults } from "../src/faults.ts";
import { faultsOf, lineOfText, wholeNumber } from "../src/input.ts";
import { sampleOf } from "./fixtures/fault-samples.ts";

const codes = Object.keys(faults) as FaultCode[];

test.each(codes)("%s has an English text that names all its parameters", (code) => {
  const { message, params } = sampleOf(code);
  expect(code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  expect(message).not.toMatch(/undefined|\[object|\{\w/);
  for (const value of Object.values(params)) expect(message.replaceAll(",", "")).toContain(String(value));
});

test("a fault of a schema has its path, code, parameters and English text", () => {
  const schema = z.strictObject({ days: wholeNumber(1, 7), name: lineOfText(3) });
  const { error } = schema.safeParse({ days: 8, name: "Chess", more: 1 });
  expect(faultsOf(error!)).toEqual([
    fault("/days", faults.out_of_range({ least: 1, most: 7 })),
    fault("/name", faults.too_long({ most: 3 })),
    fault("/more", faults.unknown_field()),
  ]);
});

test("a text of zod's own becomes the fault invalid", () => {
  const { error } = z.object({ days: z.array(z.int()) }).safeParse({ days: [0.5] });
  const { message } = error!.issues[0]!;
  expect(faultsOf(error!)).toEqual([{ path: "/days/0", code: "invalid", message, params: { reason: message } }]);
});

const sources = new URL("../src/", import.meta.url);
/** Files that write no faults of fields: settings, checks of the installation, delivery, and states of items. */
const elsewhere =
  /^(config|errors|faults|settings-file|secret-files)\.ts$|^(db|delivery|doctor|backup)\/|^feeds\/items\//;

test("no fault of a field is written outside src/faults.ts", () => {
  const found = (readdirSync(sources, { recursive: true }) as string[]).flatMap((file) => {
    if (!file.endsWith(".ts") || elsewhere.test(file)) return [];
    const text = readFileSync(new URL(file, sources), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const literals = text.matchAll(
      /(["'`])((?:must|is required|is no|is not|has an?|holds|makes|cannot be) [^\n]*?[^\\])\1/g,
    );
    return [...literals].map(([, , literal]) => `${file}: ${literal}`);
  });
  expect(found).toEqual([]);
});
