import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Article, emptyArticle, readArticle } from "../../src/decision/page/article.ts";

const url = "https://news.example.com/story";

function read(body: string | Uint8Array, more: { charset?: string; robotsHeader?: string } = {}) {
  return readArticle({ url, body: Buffer.from(body as Uint8Array), robotsHeader: null, ...more });
}

function readFile(name: string) {
  return read(readFileSync(new URL(`./pages/${name}.html.txt`, import.meta.url)));
}

const files: [name: string, expected: Partial<Article>][] = [
  [
    "news-article",
    {
      url,
      canonicalUrl: "https://news.example.com/bridge-vote",
      title: "City council votes on new bridge",
      description: "The council decides tonight whether the river gets a second crossing.",
      imageUrl: "https://images.example.com/bridge.jpg?w=1200&h=630",
      publishedAt: "2026-03-02T08:30:00.000Z",
      language: "en-GB",
      type: "NewsArticle",
    },
  ],
  [
    "open-graph",
    {
      canonicalUrl: url,
      title: "Ferry timetable changes & what it means",
      description: "More boats at peak times.",
      imageUrl: "https://cdn.example.com/ferry.webp",
      publishedAt: "2026-03-01T23:00:00.000Z",
      language: "en-US",
      type: "article",
    },
  ],
  ["bare", { ...emptyArticle(url), canonicalUrl: url, title: "Water works finish early" }],
  ["noindex-meta", { title: "Draft: do not publish", description: "A draft.", type: null }],
  [
    "amp",
    {
      canonicalUrl: "https://news.example.com/market-hall",
      title: "Market hall reopens",
      description: "Stalls are back.",
      imageUrl: "https://images.example.com/hall.jpg",
      publishedAt: "2026-03-02T00:00:00.000Z",
      type: "NewsArticle",
    },
  ],
  [
    "gallery",
    {
      title: "Le carnaval en images",
      imageUrl: "https://images.example.com/1.jpg",
      publishedAt: "2026-03-02T08:00:00.000Z",
      language: "fr",
      type: "ImageGallery",
    },
  ],
  [
    "broken",
    {
      title: "Rain stops play at the",
      description: "It rained & rained – all day",
      imageUrl: null,
      publishedAt: null,
      type: "NewsArticle",
    },
  ],
  ["no-title", { title: null, description: "A page without a name." }],
  [
    "canonical-elsewhere",
    { canonicalUrl: "https://agency.example.org/tram-line", publishedAt: "2026-03-02T10:00:00.000Z" },
  ],
  ["home", { title: "Harbour Herald", type: "website", publishedAt: null }],
  [
    "hostile-text",
    {
      canonicalUrl: url,
      title: "Bridge opens� today at noon",
      description: "Café closed",
      imageUrl: null,
      language: null,
    },
  ],
  [
    "german-latin1",
    { title: "Brücke über die Straße geöffnet", description: "Größere Umwege entfallen.", language: "de-DE" },
  ],
  [
    "japanese-shift-jis",
    { title: "新しい橋の建設を市議会が可決", description: "来年の春に着工する予定です。", language: "ja" },
  ],
];

describe("readArticle", () => {
  test.each(files)("reads %s.html", (name, expected) => {
    expect(readFile(name).article).toMatchObject(expected);
  });

  test("reads the directives for robots, and for which robot a header is", () => {
    expect(readFile("noindex-meta").signals.robots).toEqual(["noindex", "nofollow"]);
    const robots = (robotsHeader: string) => read("<title>a</title>", { robotsHeader }).signals.robots;
    expect(robots("noindex")).toEqual(["noindex"]);
    expect(robots("otherbot: noindex, nofollow")).toEqual([]);
    expect(robots("otherbot: noindex\nnoarchive")).toEqual(["noarchive"]);
    expect(robots("otherbot: noindex, googlebot: none")).toEqual(["none"]);
    expect(robots("max-snippet: 20, NOINDEX")).toEqual(["max-snippet: 20", "noindex"]);
  });

  test("removes the site's name from the title only if the page declares that name", () => {
    const title = (text: string, site: string) =>
      read(`<title>${text}</title><meta property="og:site_name" content="${site}">`).article.title;
    expect(title("Tram line extended – The Post", "The Post")).toBe("Tram line extended");
    expect(title("Tram line extended - The Post", "The Herald")).toBe("Tram line extended - The Post");
    expect(title("The Post", "The Post")).toBe("The Post");
    expect(title("Letters to The Post", "The Post")).toBe("Letters to The Post");
  });

  test("drops tracking and the fragment from the canonical address, and nothing else", () => {
    const canonical = (href: string) => read(`<link rel=canonical href="${href}">`).article.canonicalUrl;
    expect(canonical("/a?id=7&amp;utm_source=x&amp;fbclid=1&amp;GCLID=2#top")).toBe("https://news.example.com/a?id=7");
    expect(canonical("https://www.example.com/a?utm=1&amp;q=%20b+c")).toBe("https://www.example.com/a?utm=1&q=%20b+c");
    for (const bad of ["", "ftp://a.example/", "https://u:p@a.example/", "https://[", `/${"a".repeat(3000)}`]) {
      expect(canonical(bad), bad).toBe(url);
    }
  });
});

describe("the text of a page", () => {
  const title = "<title>Größe – 橋</title>";
  test.each([
    ["UTF-8 without a word about it", Buffer.from(title), undefined],
    ["a byte order mark against a wrong header", Buffer.from(`\ufeff${title}`), "iso-8859-1"],
    ["UTF-16 with a mark", Buffer.from(`\ufeff${title}`, "utf16le"), undefined],
    ["UTF-16 by the header", Buffer.from(title, "utf16le"), "utf-16le"],
    ["the header against the markup", Buffer.from(`<meta charset=latin1>${title}`), "utf-8"],
    ["markup that lies about UTF-16", Buffer.from(`<meta charset=utf-16>${title}`), undefined],
    ["an unknown charset", Buffer.from(title), "utf-7"],
  ])("decodes %s", (_name, body, charset) => {
    expect(read(body, charset === undefined ? {} : { charset }).article.title).toBe("Größe – 橋");
  });

  test("decodes as windows-1252 what is not UTF-8 and declares no charset", () => {
    expect(read(Buffer.from("<title>Caf\xe9 \x96 \xdcbersicht</title>", "latin1")).article.title).toBe(
      "Café – Übersicht",
    );
  });
});

const mega = 2 * 1024 * 1024;
const repeat = (text: string, bytes = mega) => text.repeat(Math.floor(bytes / text.length));
const json = (text: string) => `<script type="application/ld+json">${text}</script>`;
const hostile: [name: string, body: string][] = [
  ["nested tags", repeat("<b>")],
  ["nested tags and foreign ends", repeat("<b>", mega / 2) + repeat("</i>", mega / 2)],
  ["nested forms", repeat("<form>")],
  ["nested SVG", repeat("<svg>")],
  ["meta tags", repeat('<meta name="a" content="b">')],
  [
    "meta tags of different names",
    Array.from({ length: 60_000 }, (_, i) => `<meta name="n${i}" content="b">`).join(""),
  ],
  ["attributes", `<meta ${repeat("a ")}>`],
  ["one long attribute", `<meta property="og:title" content="${repeat("a")}">`],
  ["one long title", `<title>${repeat("a ")}</title>`],
  ["a title of combining marks", `<title>e${repeat("\u0301")}</title>`],
  ["titles", repeat("<title>")],
  ["entities", `<title>${repeat("&amp;")}</title>`],
  ["open angles", repeat("<")],
  ["unclosed comments", repeat("<!--")],
  ["charset bait", repeat("<meta ")],
  ["JSON-LD arrays", json(repeat("["))],
  ["closed JSON-LD arrays", json("[".repeat(mega / 2) + "]".repeat(mega / 2))],
  ["members of JSON-LD that breaks off", json(`{"a":[${repeat("1,")}`)],
  ["JSON-LD that breaks off in escapes", json(`{"a":1,"b":"${repeat('\\"')}`)],
  ["JSON-LD objects", json(`[${repeat('{"@type":"NewsArticle"},')}{}]`)],
  ["JSON-LD that is no text", json('{"@type":"Article","isAccessibleForFree":{"toString":1},"url":{"toString":1}}')],
  ["paid links", repeat('<a rel="sponsored" href="/">')],
  ["JSON-LD scripts", repeat(json("{}"))],
  ["JSON-LD of spaces", json(repeat(" "))],
  ["a canonical address", `<link rel="${repeat("canonical ", mega / 2)}" href="${repeat("/", mega / 2)}">`],
  ["a description of tags", `<meta name=description content="${repeat("&lt;a By A ", mega / 2)}">`],
  ["paragraphs", repeat("<p>By A ")],
  ["one long paragraph", `<h1>A</h1><p>${repeat("word ")}`],
  ["NULs", repeat("\0")],
];

const fragments = fc.constantFrom(
  ...[
    "<title>",
    "</title>",
    "<meta property=og:title content=",
    "<link rel=canonical href=",
    "<html lang=",
    "<svg>",
    "</svg>",
  ],
  ...[
    '"',
    "'",
    ">",
    "<",
    "/",
    "=",
    "&#x",
    "&amp;",
    "<!--",
    "<script type=application/ld+json>",
    "</script>",
    "{",
    "}",
    "[",
  ],
  ...[
    '"@graph":',
    '"@type":"NewsArticle"',
    '"image":',
    '"datePublished":"2026-',
    "null",
    ",",
    "\u202e",
    "\ud800",
    "\0",
  ],
);
const markup = fc.array(fc.oneof(fragments, fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 60 });
const charsets = fc.constantFrom("utf-8", "utf-16le", "shift_jis", "gb18030", "x-unknown", "replacement");

describe("readArticle on hostile pages", () => {
  test.each(hostile)("2 MiB of %s take less than a second of CPU", (_name, body) => {
    const before = process.threadCpuUsage();
    read(body);
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });

  test("never throws on any bytes, and its texts are well-formed, clean and bounded", () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 2000 }),
      markup.map((parts) => Buffer.from(parts.join(""))),
    );
    fc.assert(
      fc.property(bodies, fc.option(charsets, { nil: undefined }), (body, charset) => {
        const { article } = read(body, charset === undefined ? {} : { charset });
        for (const text of [article.title, article.description]) {
          if (text === null) continue;
          expect(text).not.toMatch(/\p{Cc}|[\u202A-\u202E\u2066-\u2069]|^\s|\s$/u);
          expect(text.isWellFormed() && text.length > 0 && text.length <= 2000).toBe(true);
        }
        expect(article.imageUrl ?? "https://").toMatch(/^https:\/\//);
        expect(article.canonicalUrl).toMatch(/^https?:\/\//);
      }),
      { numRuns: 3000 },
    );
  });
});
