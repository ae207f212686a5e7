import { describe, expect, test } from "vitest";
import { readArticle } from "../../src/decision/page/article.ts";
import { canonicalForm, pageIdentity } from "../../src/decision/story-url.ts";

const url = "https://news.example.com/story";

/** 300 KB of tracking parameters. Each has a different name, so removing one does not remove another. */
const trackers = Array.from({ length: 20_000 }, (_, n) => `utm_${n}=abcde`).join("&");
const tracked = `https://news.example.com/story?${trackers}`;

function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

describe("the canonical form of an address", () => {
  test.each([
    ["/a?id=7&utm_source=x&fbclid=1&GCLID=2#top", "https://news.example.com/a?id=7"],
    ["/a?utm_a=1&id=7&UTM_B=2&id=8", "https://news.example.com/a?id=7&id=8"],
    ["/a?utm_a=1&utm_b=2", "https://news.example.com/a"],
    ["/a?utm=1&q=%20b+c", "https://news.example.com/a?utm=1&q=%20b+c"],
    ["/a?utm_a=1&q=%20b+c", "https://news.example.com/a?q=+b+c"],
  ])("of %s is %s", (raw, form) => {
    expect(canonicalForm(raw, url)).toBe(form);
  });

  test("exists with 2,048 characters and not with one more, also of tracking parameters", () => {
    const start = "https://news.example.com/?utm_source=";
    expect(canonicalForm(start.padEnd(2048, "a"), url)).toBe("https://news.example.com/");
    expect(canonicalForm(start.padEnd(2049, "a"), url)).toBeNull();
    expect(canonicalForm("/".padEnd(2049, "a"), url)).toBeNull();
  });

  test("does not exist for what becomes longer than 2,048 characters when it is encoded", () => {
    expect(canonicalForm(`/${"ü".repeat(300)}`, url)).not.toBeNull();
    expect(canonicalForm(`/${"ü".repeat(1000)}`, url)).toBeNull();
  });

  test("of 300 KB of tracking parameters costs nothing", () => {
    expect(tracked.length).toBeGreaterThan(300_000);
    expect(cpuMsOf(() => [canonicalForm(tracked, url), pageIdentity(tracked, url)])).toBeLessThan(20);
  });
});

describe("a page with 300 KB of tracking parameters", () => {
  const json = (node: object) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`;
  const article = { "@type": "NewsArticle", headline: "Bridge opens" };

  test.each([
    ["its canonical address", `<title>Bridge opens</title><link rel="canonical" href="${tracked}">`],
    ["og:url", `<title>Bridge opens</title><meta property="og:url" content="${tracked}">`],
    ["the address in JSON-LD", json({ ...article, url: tracked })],
    ["the addresses of many articles", json(Array(5).fill({ ...article, url: [tracked], "@id": tracked }))],
    ["its picture", `<title>Bridge opens</title>${json({ ...article, image: tracked })}`],
  ])("in %s is read in milliseconds, and keeps the address where it was fetched", (_name, markup) => {
    const body = Buffer.from(markup);
    const read = () => readArticle({ url, body, robotsHeader: null }).article;
    expect(read()).toMatchObject({ canonicalUrl: url, imageUrl: null });
    expect(Math.min(...[1, 2, 3].map(() => cpuMsOf(read)))).toBeLessThan(50);
  });

  test("30,000 addresses of one page in JSON-LD are compared in less than a second", () => {
    const long = `${url}?${Array.from({ length: 180 }, (_, n) => `utm_${n}=1`).join("&")}`;
    const node = { "@type": "NewsArticle", url: Array(10).fill("/a?b"), "@id": Array(10).fill("/c") };
    const body = Buffer.from(json(Array(1_000).fill({ ...node, mainEntityOfPage: Array(10).fill("/d?e=f") })));
    const read = () => readArticle({ url: long, body, robotsHeader: null });
    expect(Math.min(...[1, 2, 3].map(() => cpuMsOf(read)))).toBeLessThan(1_000);
  });

  test("a text of JSON-LD is read up to its 4,096th character", () => {
    const body = Buffer.from(json({ ...article, headline: " ".repeat(4_096).concat("late"), description: "Café" }));
    expect(readArticle({ url, body, robotsHeader: null }).article).toMatchObject({ title: null, description: "Café" });
  });
});
