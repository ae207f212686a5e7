import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { measurePage, reportSuite } from "../../bench/decision/measure-suite.ts";
import { isSuite, readSuite } from "../../bench/decision/suite.ts";

const url = "https://news.example.com/ferry";
const page = (date: string) => `<title>Ferry – new “timetable” | The Post</title>
  <meta property="og:site_name" content="The Post"><meta property="article:published_time" content="${date}">
  <meta property="og:image" content="https://images.example.com/ferry.jpg?w=600">`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "suite-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function suite(entries: unknown, pages: Record<string, string | Buffer> = {}) {
  writeFileSync(join(folder, "expected.json"), JSON.stringify(entries));
  for (const [name, body] of Object.entries(pages)) writeFileSync(join(folder, name), body);
  return () => readSuite(folder);
}

test("each field is compared where a value is expected, and what is wrong is named", () => {
  const image = ["https://images.example.com/other.jpg", "http://images.example.com/ferry.jpg"];
  const read = suite(
    [
      { id: "a", url, title: ["Ferry - new 'TIMETABLE'"], date: "2026-03-02T11:00:00+01:00", image, lang: "ignored" },
      { id: "b", url, title: "Another title", date: "2026-03-03" },
      { id: "c", url, date: "2026-03-02", image: "https://images.example.com/none.jpg" },
    ],
    {
      "a.html": page("2026-03-02T10:00:00Z"),
      "b.html.gz": gzipSync(page("2026-03-03")),
      "c.html": "<title>Undated</title>",
    },
  );
  const lines = reportSuite(read().map(measurePage)).split("\n");
  expect(lines.filter((line) => !line.startsWith("CPU"))).toEqual([
    "title   right 50.0 % (1/2), of what is said 50.0 % (1/2)",
    "day     right 66.7 % (2/3), of what is said 100.0 % (2/2)",
    "moment  right 100.0 % (1/1), of what is said 100.0 % (1/1)",
    "image   right 50.0 % (1/2), of what is said 100.0 % (1/1)",
    "",
    "Wrong:",
    "b title: Ferry – new “timetable”",
    "    wanted: Another title",
    "c day: none",
    "    wanted: 2026-03-02",
    "c image: none",
    "    wanted: https://images.example.com/none.jpg",
  ]);
});

test("a folder is a suite by its expected.json, and what is invalid is refused with its place", () => {
  expect(isSuite(folder)).toBe(false);
  expect(suite([{ id: "a", url }])).toThrow(/The page of a is missing/);
  expect(isSuite(folder)).toBe(true);
  expect(suite([{ id: "../a", url }])).toThrow(/name of the page's file/);
  expect(suite([{ id: "a", url, date: "yesterday" }])).toThrow(/date/);
});
