import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkStory } from "../../src/decision/check-story.ts";
import { writeNudge } from "../../src/decision/nudge.ts";
import { readArticle } from "../../src/decision/page/article.ts";
import { parseFeed } from "../../src/feeds/parse/parse-feed.ts";
import { fetchFeed } from "../../src/feeds/poll/fetch-feed.ts";
import { expectLinear, fill, leastCpuMs } from "./growth.ts";

const url = "https://news.example.com/story";
const now = Date.parse("2026-03-02T12:00:00Z");

/** Does everything that the service does with a page's bytes. */
function checkPage(html: string, robotsHeader: string | null = null) {
  const read = readArticle({ url, body: Buffer.from(html), robotsHeader });
  const given = { title: null, body: false, imageUrl: false };
  const fetched = { kind: "page", status: 200, isHtml: true } as const;
  return [
    checkStory(
      { ...read, fetched, given, freshnessHours: 48, site: null, expected: null, visitsWon: null, strict: true },
      now,
    ),
    writeNudge(read.article),
  ];
}

const readFeed = (text: string) => parseFeed({ url, body: Buffer.from(text) });
/** 1,000 characters usually take about 0.1 ms. Other users of the machine would notice much more. */
const limits = { size: 100_000, ceilingMs: 400 };

const json = (text: string) => `<script type="application/ld+json">${text}</script>`;
const numbered = (unit: (n: number) => string) => (size: number) => {
  const units: string[] = [];
  for (let length = 0, n = 0; length < size; n += 1) length += units[units.push(unit(n)) - 1]!.length;
  return units.join("");
};
const within = (before: string, unit: string, after = "") => {
  return (size: number) => before + fill(unit, size) + after;
};

const pages: [name: string, make: (size: number) => string][] = [
  ["tags in each other", within("", "<div>")],
  ["headings", within("", "<h1>a</h1>")],
  ["one endless heading", within("<h1>", "a &amp; ", "</h1>")],
  ["paragraphs with links", within("", "<p>a <a href=/a>b</a> c")],
  ["spaces in a paragraph", within("<p>a", " ", "b</p>")],
  ["dates of elements", within("", '<time datetime="2026-03-02" itemprop=datePublished>')],
  ["elements that show dates", within("<h1>The bridge</h1>", "<p class=date>Monday, 2 March 2026")],
  ["elements in each other that show dates", within("<h1>The bridge</h1>", "<div class=date>2.3.2026 ")],
  ["short blocks with numbers", within("<h1>The bridge</h1>", "<p>12 31</p>")],
  ["headings and dates", within("<title>The bridge is open</title>", "<h2>The bridge</h2><b class=date>1 may</b>")],
  ["a text of class date", within("<h1>The bridge</h1><p class=date>", "1 a ", "</p>")],
  ["a date in <meta>", within('<meta name=date content="', "1 may ", '">')],
  ["numbers of a date in <meta>", within('<meta name=date content="2 March 2026 ', "+1:", '">')],
  ["semicolons in JSON-LD", within('<script type="application/ld+json">{"a":1', ";", "}</script>")],
  ["comments in JSON-LD", within('<script type="application/ld+json">{"a":1', "/* */", "}</script>")],
  ["brackets too many in JSON-LD", within('<script type="application/ld+json">{"a":1', "}]", "</script>")],
  ["types of microdata", numbered((n) => `<div itemscope itemtype="a/T${n} b">`)],
  ["types of one element", within('<div itemtype="', "a/b ", '">')],
  ["end tags", within("<p>", "</div>")],
  ["angles", within("", "<")],
  ["unclosed attributes", within("", '<meta content="')],
  ["unclosed comments", within("", "<!--")],
  ["unclosed CDATA", within("", "<![CDATA[")],
  ["attributes of one tag", numbered((n) => (n === 0 ? "<meta " : `a${n}="b" `))],
  ["spaces in a tag", within("<meta", " ")],
  ["spaces before a charset", within(`${"<meta ".repeat(300)}charset=`, " ", "!")],
  ["charsets", within("<meta ", "charset = ")],
  ["spaces in a title", within("<title>a", " ", "b</title>")],
  ["separators in a title", within("<meta property=og:site_name content=b><title>", "a - ", "b</title>")],
  ["combining marks in a title", within("<title>a", "\u0301\u0316", "</title>")],
  ["text without a space", within("<title>", "a")],
  ["wide text without a space", within("<title>", "橋")],
  ["entities", within("<title>", "&amp;")],
  ["broken entities", within("<title>", "&#")],
  ["one endless entity", within("<title>&#", "1")],
  ["directives for robots", within('<meta name=robots content="', "a,", '">')],
  ["meta tags", numbered((n) => `<meta name="n${n}" content="b">`)],
  ["links", within("", '<a rel="sponsored" href="/">a</a>')],
  ["names of one meta tag", numbered((n) => (n === 0 ? "<meta content=a name='" : `n${n} `))],
  ["slashes of a canonical address", within('<link rel=canonical href="', "/", '">')],
  ["tracking parameters of a canonical address", within('<link rel=canonical href="/?', "utm_a&amp;", '">')],
  ["JSON-LD scripts", within("", json("{}"))],
  [
    "JSON-LD objects",
    within('<script type="application/ld+json">[', '{"@type":"NewsArticle","url":"/a"},', "{}]</script>"),
  ],
  ["JSON-LD lists in lists", (size) => json("[".repeat(size / 2) + "]".repeat(size / 2))],
  ["JSON-LD graphs in graphs", (size) => json(`${fill('{"@graph":', size)}1${"}".repeat(Math.ceil(size / 10))}`)],
  ["members of one JSON-LD object", numbered((n) => (n === 0 ? '<script type="application/ld+json">{' : `"a${n}":1,`))],
  ["numbered members of JSON-LD", (size) => json(`{${numbered((n) => `"${n * 977}":1,`)(size)}"a":1}`)],
  [
    "tracking parameters in JSON-LD",
    (size) => {
      return json(`{"@type":"Article","url":"/?${numbered((n) => `utm_${n}=1&`)(size)}"}`);
    },
  ],
  ["JSON-LD of slashes", (size) => json(fill("// ", size))],
  ["spaces after JSON-LD", (size) => json(`{} -->${fill(" ", size)}x`)],
  ["a date of digits", within('<meta property="article:published_time" content="2026-03-02T', "1", '">')],
  ["a folder of paid words", (size) => json(`{"@type":"Article","articleSection":"${fill("sponsored ", size)}"}`)],
];

const item = (before: string, unit: string, after = "") =>
  within(`<rss><channel><item>${before}`, unit, `${after}</item></channel></rss>`);
const feeds: [name: string, make: (size: number) => string][] = [
  ["elements in each other", within("<rss><channel>", "<a>")],
  ["end tags that close nothing", within(`<rss><channel>${"<a>".repeat(90)}`, "</b>")],
  ["unclosed items", within("<rss><channel>", "<item><title>a")],
  ["namespaces of one element", numbered((n) => (n === 0 ? "<rss " : `xmlns:a${n}="b" `))],
  ["namespaces of elements in each other", numbered((n) => (n === 0 ? "<rss>" : `<a xmlns:a${n}="b">`))],
  ["namespaces of elements beside each other", numbered((n) => (n === 0 ? "<rss>" : `<a xmlns:a${n}=""/>`))],
  [
    "elements that declare one more of 4,000 namespaces",
    (size) => {
      const scope = Array.from({ length: 80 }, (_, depth) => `<a ${numbered((n) => `xmlns:a${depth}x${n}="" `)(700)}>`);
      return `<rss>${scope.join("")}${fill("<b xmlns:c=''/>", size)}`;
    },
  ],
  ["entity declarations", within("<!DOCTYPE rss [", '<!ENTITY a "&a;&a;">', "]><rss>")],
  ["CDATA sections", item("<title>", "<![CDATA[a]]>", "</title>")],
  ["brackets in CDATA", item("<title><![CDATA[", "]", "]]></title>")],
  ["combining marks in titles", item("", `<title>a${"\u0301\u0316".repeat(2_000)}</title></item><item>`)],
  ["titles of one item", item("", "<title>a</title>")],
  ["categories", item("", "<category>a, b</category>")],
  [
    "categories of Atom",
    within('<feed xmlns="http://www.w3.org/2005/Atom"><entry>', '<category term="a"/>', "</entry></feed>"),
  ],
  [
    "links of Atom",
    within('<feed xmlns="http://www.w3.org/2005/Atom"><entry>', '<link href="/a"/>', "</entry></feed>"),
  ],
  ["pages of a sitemap", within("<urlset>", "<url><loc>a</loc></url>")],
  [
    "keywords of news",
    within('<urlset xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><news:news><news:keywords>', "a,"),
  ],
  ["dates", item("", "<pubDate>Mon, 02 Mar 2026 11:00:00 (((((((((((((((( +0100</pubDate>")],
  ["spaces in a date", item("<pubDate>Mon,", " ", "2</pubDate>")],
  ["escaped markup", item("<description>", "&lt;p", "</description>")],
  ["tracking parameters", (size) => `<rss><item><link>/?${numbered((n) => `utm_${n}&amp;`)(size)}</link></item></rss>`],
  ["spaces before the document", within("", " ", "<rss>")],
  [
    "items of JSON Feed",
    within('{"version":"https://jsonfeed.org/version/1","items":[', '{"id":1,"tags":["a"]},', "{}]}"),
  ],
  ["lists of JSON in each other", within("", "[")],
];

describe("the CPU time of a stranger's document grows no faster than its length", () => {
  test.each(pages)("a page of %s", (_name, make) => expectLinear(make, checkPage, limits));
  test.each(feeds)("a feed of %s", (_name, make) => expectLinear(make, readFeed, limits));

  /** Parts that are repeated at random, and the places of a document where they may stand. */
  const parts = fc.constantFrom(
    ...["<", ">", "/", "=", '"', "'", "&", ";", "#", "?", "!", "--", "-", "[", "]", "{", "}", ":", ",", ".", "|"],
    ...[" ", "\n", "\t", "\0", "\u0301", "\u0316", "\u202e", "\ud800", "橋", "1", "12", "a", "Z", "+", "(", ")", "%"],
    ...["<meta ", "<a rel=", "<title>", "</title>", "<svg>", "<script>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>"],
    ...[
      "charset",
      "content=",
      "name=",
      "utm_",
      "&amp;",
      "&#x",
      "//",
      "/page/",
      "Mon, ",
      "Mar ",
      "2026",
      "UTC",
      "sponsored",
    ],
    ...["<item>", "</item>", "<link>", "<category>", "xmlns", "xmlns:a=", "<entry>", '"@graph":', '"url":', "\\u0000"],
  );
  const places = fc.constantFrom<[before: string, after: string]>(
    ["", ""],
    ["<title>", "</title>"],
    ["<meta ", ">"],
    ["<link rel=canonical href='", "'>"],
    ["<meta property=article:published_time content='", "'>"],
    ["<meta name=robots content='", "'>"],
    ['<script type="application/ld+json">', "</script>"],
    ['<script type="application/ld+json">{"@type":"Article","headline":"', '"}</script>'],
    ['<script type="application/ld+json">{"@type":"Article","url":"', '"}</script>'],
    ['<script type="application/ld+json">{"@type":"Article","datePublished":"', '"}</script>'],
    ["<rss><channel>", ""],
    ["<rss><channel><item><title>", "</title></item>"],
    ["<rss><channel><item><link>", "</link></item>"],
    ["<rss><channel><item><pubDate>", "</pubDate></item>"],
    ["<rss><channel><item><description>", "</description></item>"],
    ['{"version":"https://jsonfeed.org/version/1","items":[{"title":"', '"}]}'],
  );

  test("also where any parts are repeated in any place", () => {
    const units = fc.array(parts, { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(""));
    fc.assert(
      fc.property(places, units, ([before, after], unit) => {
        const make = within(before, unit, after);
        expectLinear(make, checkPage, { size: 30_000, ceilingMs: 200 });
        expectLinear(make, readFeed, { size: 30_000, ceilingMs: 200 });
      }),
      { numRuns: 100 },
    );
  });
});

describe("headers of a stranger's answer", () => {
  const headerBytes = 32 * 1_024;
  test.each(["a,", "a:", "a ", " ", "googlebot: ", "-", "max-"])("X-Robots-Tag full of %j costs nothing", (unit) => {
    expect(leastCpuMs(() => checkPage("<title>a</title>", fill(unit, headerBytes)))).toBeLessThan(100);
  });

  test.each(["<", "<a>", "<a>;", "<a>; rel=", "<a>; rel = ", ">;", " ", ";"])(
    "Link full of %j costs nothing",
    async (unit) => {
      const headers = { link: fill(unit, headerBytes) };
      const answer = { kind: "answer" as const, url, status: 200, headers, body: Buffer.from("<rss/>"), isCut: false };
      const pages = { request: async () => answer };
      const parser = { parse: async () => ({ kind: "parsed", value: null }) };
      const costs: number[] = [];
      for (let run = 0; run < 3; run += 1) {
        const before = process.threadCpuUsage();
        await fetchFeed({ now: () => now, pages, parser } as unknown as Parameters<typeof fetchFeed>[0], {
          url,
          who: "",
        });
        costs.push(process.threadCpuUsage(before).user / 1_000);
      }
      expect(Math.min(...costs)).toBeLessThan(50);
    },
  );
});
