import { expect, test } from "vitest";
import { firstDate } from "../../src/reading/dates/read-date.ts";
import { factsOf } from "./story-facts.ts";

const dateOf = (html: string, url?: string) =>
  factsOf(`<title>Tram line extended</title>${html}`, url).article.publishedAt;
const time = (day: string) => `<time itemprop="datePublished" datetime="2026-03-${day}T10:00:00Z">`;
const site = "https://news.example.com";

test("the date of publication is read from <time>, JSON-LD of the page and the address", () => {
  expect(dateOf(time("02"))).toBe("2026-03-02T10:00:00.000Z");
  expect(dateOf('<time pubdate datetime="2026-03-02">')).toBe("2026-03-02T00:00:00.000Z");
  const linked =
    '<script type="application/ld+json">{"@type":"WebPage","datePublished":"2026-03-01T10:00:00Z"}</script>';
  expect(dateOf(linked + time("02"))).toBe("2026-03-01T10:00:00.000Z");
  expect(dateOf("", `${site}/2026/03/02/tram-line`)).toBe("2026-03-02T00:00:00.000Z");
  expect(dateOf("", `${site}/news/2026-03-02/tram-line`)).toBe("2026-03-02T00:00:00.000Z");
});

test("dates of several entries, an unmarked <time>, lists and impossible days are not taken", () => {
  expect(dateOf(time("01") + time("02"))).toBeNull();
  expect(dateOf('<time datetime="2026-03-02">')).toBeNull();
  expect(dateOf("", `${site}/2026/03/02/`)).toBeNull();
  expect(dateOf("", `${site}/2026/02/30/tram-line`)).toBeNull();
});

test.each([
  "Mon Mar 02 10:00:00 +0100 2026",
  "Mon Mar 02 2026 10:00:00 GMT+0100 (CET)",
  "Mon, 02 Mar 2026 10:00:00 +0100",
])("%s is read with its offset", (text) =>
  expect(firstDate([text])).toEqual({ ms: Date.parse("2026-03-02T09:00:00Z"), isExact: true }),
);
