import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { decideStory, type Verdict } from "../../src/decision/decide-story.ts";
import type { Page } from "../../src/egress/page/fetch-page.ts";
import { openTestApp } from "../fixtures/app.ts";

const now = () => Date.parse("2026-03-02T12:00:00Z");
const folder = new URL("./pages/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".html.txt"));
const effectSigns = { blocks: "!", lowers: "-", raises: "+", informs: "" };

/** HTTP headers of some pages. All others are text/html without a charset. */
const headers: Record<string, Partial<Page>> = {
  pdf: { contentType: "application/pdf" },
  "german-iso-8859-1-header": { charset: "iso-8859-1" },
};

/** The table of pages/expected.txt: page, path and the two expected lines. */
const table = readFileSync(new URL("expected.txt", folder), "utf8")
  .replace(/^#.*\n/gm, "")
  .trimEnd()
  .split(/\n(?! )/)
  .map((entry) => [entry.split(" ")[0]!, entry.split(" ")[1]!, entry] as const);

/** Formats a verdict as in the table. */
function lines(name: string, path: string, { article, decision, score, reasons }: Verdict): string {
  const codes = reasons.map(({ code, effect }) => effectSigns[effect] + code);
  const canonical = article.canonicalUrl === article.url ? "=" : article.canonicalUrl;
  const read = [article.title, article.publishedAt?.slice(0, 16), article.type, article.language, canonical];
  const second = read.map((value) => value ?? "-").join(" | ");
  return `${[name, path, decision, score, ...codes].join(" ")}\n    ${second}`;
}

describe("a page becomes an article and a decision", () => {
  let app: App;
  beforeAll(async () => {
    app = await openTestApp();
  });

  function decide(name: string, path: string): Promise<Verdict> {
    const body = readFileSync(new URL(`${name}.html.txt`, folder));
    const url = `https://news.example.com${path}`;
    const answer = { kind: "page", url, status: 200, contentType: "text/html", robotsHeader: null, body } as const;
    return decideStory({ ...app, now, pages: { fetchPage: async () => ({ ...answer, ...headers[name] }) } }, { url });
  }

  test.each(table)("%s is read and decided as the table says", async (name, path, expected) => {
    const verdict = await decide(name, path);
    expect(lines(name, path, verdict)).toBe(expected);
    for (const { message } of verdict.reasons) expect(message).toMatch(/^[A-Z].+\.$/su);
  });

  test("the table has every page of the folder, and there are more than forty", () => {
    expect(table.map(([name]) => `${name}.html.txt`).sort()).toEqual(files.sort());
    expect(files.length).toBeGreaterThan(40);
  });
});
