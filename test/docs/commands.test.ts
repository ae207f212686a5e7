import { expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { findCommand } from "../../src/cli/commands.ts";
import { settings } from "../../src/config.ts";
import { pagesOfProject, readPage } from "./pages.ts";

const texts = await Promise.all(
  pagesOfProject().map(async (page) => ({ page, text: (await readPage(page)).replaceAll("\n", " ") })),
);

/** Commands that need no entry in the list: those of the program itself, and that of a published package. */
const others = ["help", "completion", "mcp"];

test("each script of npm that a page names exists", () => {
  const named = texts.flatMap(({ page, text }) =>
    [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, script]) => ({ page, script: script! })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ script }) => !(script in packageFile.scripts))).toEqual([]);
});

test("each command of Pressbell that a page names exists", async () => {
  const named = texts.flatMap(({ page, text }) =>
    [...text.matchAll(/(?:npm run -s pressbell -- |`pressbell |npx pressbell )([a-z-]+(?: [a-z-]+)*)/g)].map(
      ([, words]) => ({ page, words: words!.split(" ") }),
    ),
  );
  expect(named.length).toBeGreaterThan(40);
  const found = await Promise.all(named.map(({ words }) => findCommand(words)));
  const faults = named.filter(({ words }, at) => found[at] === undefined && !others.includes(words[0]!));
  expect(faults.map(({ page, words }) => `${page}: ${words.join(" ")}`)).toEqual([]);
});

test("each setting that the tutorial and the pages for operators give exists", () => {
  const forOperators = ["tutorial", "install", "run", "monitor", "scale", "back-up", "upgrade"];
  const given = texts
    .filter(({ page }) => forOperators.some((name) => page === `docs/${name}.md`))
    .flatMap(({ text }) => [...text.matchAll(/\b([A-Z][A-Z_]{3,})=/g)].map(([, name]) => name!));
  expect(given.length).toBeGreaterThan(3);
  // Variables of the shell, of npm, of compose.yaml and of OpenTelemetry.
  const notOurs = ["PGPASSWORD", "SETTINGS_FILE", "PUBLIC_HOST", "PROVISIONED", "TENANT", "SITE", "CAMPAIGN"];
  const exists = (name: string) =>
    name.replace(/_FILE$/, "") in settings.shape || notOurs.includes(name) || name.startsWith("OTEL_");
  expect(given.filter((name) => !exists(name))).toEqual([]);
});
