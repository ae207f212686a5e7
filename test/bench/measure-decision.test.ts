import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readLabels } from "../../bench/decision/labels.ts";
import { decideLabelled, reportOutcomes } from "../../bench/decision/measure-decision.ts";

const today = Date.parse("2026-03-02T12:00:00Z");
const story = `<title>Ferry – new “timetable”</title><meta property="og:type" content="article">
<meta property="article:published_time" content="2019-03-02T10:00:00Z">`;
const url = "https://news.example.com/ferry";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "labels-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function label(labels: unknown, pages: Record<string, string | Buffer> = {}) {
  writeFileSync(join(folder, "labels.json"), JSON.stringify(labels));
  for (const [name, body] of Object.entries(pages)) writeFileSync(join(folder, name), body);
  return () => readLabels(folder);
}

test("figures are counted by kind, and what is wrong is named with its reasons", () => {
  const read = label(
    [
      { id: "a1", url, want: "send", kind: "article", titles: ["Ferry - new 'TIMETABLE'"], why: "ignored" },
      { id: "a2", url, want: "send", kind: "article", titles: ["Another title"] },
      { id: "n1", url, want: "send" },
      { id: "h1", url: "https://news.example.com/tag/a", want: "skip", kind: "tag" },
    ],
    {
      "a1.html": story,
      "a2.html.gz": gzipSync(story),
      "n1.html": '<title>Draft</title><meta name="robots" content="noindex">',
      "h1.html": "<title>Stories about: a</title>",
    },
  );
  const lines = reportOutcomes(read().map((page) => decideLabelled(page, today))).split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "all      decision 75.0 % (3/4), precision of stories 100.0 % (2/2), recall of stories 66.7 % (2/3), title 50.0 % (1/2)",
    "article  decision 100.0 % (2/2), precision of stories 100.0 % (2/2), recall of stories 100.0 % (2/2), title 50.0 % (1/2)",
    "page     decision 0.0 % (0/1), recall of stories 0.0 % (0/1)",
    "tag      decision 100.0 % (1/1)",
  ]);
  expect(lines.slice(6)).toEqual([
    "Wrong:",
    "a2 title: Ferry – new “timetable”",
    "    wanted: Another title",
    `n1 page: skip, wanted send. ${url}`,
    "    noindex: The page asks not to be listed (noindex), as drafts and tests do. Remove noindex to send the story.",
  ]);
});

test("a folder without labels, an invalid label and a missing page are refused with a cure", () => {
  expect(() => readLabels(folder)).toThrow(/labels\.json does not exist/);
  expect(label([{ id: "../a", url, want: "send" }])).toThrow(/name of the page's file/);
  expect(label([{ id: "a", url, want: "maybe" }])).toThrow(/want/);
  expect(label([{ id: "a", url, want: "send" }])).toThrow(/The page of a is missing/);
});
