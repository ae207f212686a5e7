import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Language, languages } from "../../site/languages.ts";
import { readCurl } from "../../site/request.ts";
import { bodyOf, hasTool, runIn, testExamples } from "./api-examples.ts";

// Tests the page's examples in the other languages that the site shows.

const programs = { js: process.execPath, py: "python3", php: "php" };

// CI installs both programs (.ci/languages).
const installed = languages.filter(({ fence }) => fence === "js" || hasTool(programs[fence]));

if (process.env.CI) {
  test("CI has every language of the examples", () => {
    expect(installed).toEqual(languages);
  });
}

for (const language of installed)
  testExamples(language.name, (script, folder, variables) => runProgram(language, script, folder, variables));

/** Runs the example in a language. Its program prints status and body. */
async function runProgram(language: Language, script: string, folder: string, variables: Record<string, string>) {
  const file = join(folder, `example.${language.fence === "js" ? "mjs" : language.fence}`);
  await writeFile(file, language.write(readCurl(script)));
  const out = await runIn(folder, programs[language.fence], [file], variables);
  return { status: Number(out.slice(0, 3)), body: bodyOf(out.slice(4).trim()) };
}
