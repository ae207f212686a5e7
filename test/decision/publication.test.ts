import { describe, expect, test } from "vitest";
import { readArticle } from "../../src/decision/page/article.ts";
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

/** The heading below which a story's date stands. */
const headline = "<h1>Tram line extended</h1>";
const prose = `<p>${"The council has voted for it after a long evening. ".repeat(20)}</p>`;
const day = "2026-03-02T00:00:00.000Z";
const moment = "2026-03-02T10:00:00.000Z";

test("lists, impossible days and dates of other stories are not taken", () => {
  expect(dateOf("", `${site}/2026/03/02/`)).toBeNull();
  expect(dateOf("", `${site}/2026/02/30/tram-line`)).toBeNull();
  expect(dateOf(time("01") + time("02"))).toBeNull();
  for (const other of ["nav", "aside", "footer", "div class=comments", "ul class=related-stories"]) {
    const html = `${headline}<${other}><time datetime="2026-03-02T10:00:00Z">2 March</time></${other.split(" ")[0]}>`;
    expect(dateOf(html), other).toBeNull();
  }
});

describe("a mark on an element is the date", () => {
  test.each([
    ["entry-date published", '<time class="entry-date published" datetime="2026-03-02T10:00:00Z">2 March</time>'],
    ["pubdate", '<time pubdate datetime="2026-03-02T10:00:00Z">2 March</time>'],
    ["itemprop on time", '<time itemprop="datePublished" datetime="2026-03-02T10:00:00Z">2 March</time>'],
    ["Blogger's abbr", '<abbr class="published" itemprop="datePublished" title="2026-03-02T10:00:00Z">2 March</abbr>'],
    ["a span with content", '<span itemprop="datePublished" content="2026-03-02T10:00:00Z">2 March</span>'],
    ["RDFa", '<span property="dc:date dc:created" content="2026-03-02T10:00:00Z">2 March</span>'],
    ["the text of itemprop", '<span itemprop="datePublished">2026-03-02T10:00:00Z</span>'],
  ])("%s, beside times without one", (_what, marked) => {
    const updated = '<time class="updated" datetime="2026-03-05T10:00:00Z">5 March</time>';
    expect(dateOf(headline + updated + marked + prose)).toBe(moment);
    expect(dateOf(headline + marked + updated + prose)).toBe(moment);
  });

  test("the one at the headline, where each entry of a list has one", () => {
    expect(dateOf(`${headline}${time("02")}</time>${prose}<h2>Other story of the day</h2>${time("01")}</time>`)).toBe(
      moment,
    );
  });
});

describe("JSON-LD gives its date", () => {
  const linked = (json: string) => `<script type="application/ld+json">${json}</script>`;
  const story = (members: string) => linked(`{"@type":"NewsArticle","headline":"Tram line extended",${members}}`);

  test.each([
    ["with a zone's name", story('"datePublished":"Mon Mar 02 11:00:00 CET 2026"'), moment],
    ["with an abbreviation at its end", story('"datePublished":"2026-03-02T05:00:00EST"'), moment],
    ["with an unknown zone, as a day", story('"datePublished":"10:00:00 IST Mar 02, 2026"'), moment],
    ["in seconds", story('"datePublished":1772445600'), moment],
    ["in milliseconds", story('"datePublished":1772445600000'), moment],
    ["as text of milliseconds", story('"datePublished":"1772445600000"'), moment],
    ["as dateCreated alone", story('"dateCreated":"2026-03-02T10:00:00Z"'), moment],
    ["after a semicolon", linked('{"@type":"NewsArticle","datePublished":"2026-03-02T10:00:00Z"};'), moment],
    ["with one bracket too many", linked('{"@type":"NewsArticle","datePublished":"2026-03-02T10:00:00Z"}}'), moment],
    [
      "in a script without a type",
      '<script>{"@type":"NewsArticle","datePublished":"2026-03-02T10:00:00Z"}</script>',
      moment,
    ],
  ])("%s", (_what, html, at) => expect(dateOf(html)).toBe(at));
});

test.each(
  [
    "article:published_time",
    "og:article:published_time",
    "publishdate",
    "publication_date",
    "displaydate",
    "date",
    "DC.date.issued",
  ]
    .concat("originalpublicationdate", "rnews:datepublished", "bepress_citation_date", "cXenseParse:recs:publishtime")
    .concat("sailthru.date", "parsely-pub-date", "citation_publication_date", "dcterms.created"),
)("the meta name %s is a date of publication", (name) => {
  expect(dateOf(`<meta name="${name}" content="2026-03-02T10:00:00Z">`)).toBe(moment);
  expect(dateOf(`<meta property="${name}" content="2 March 2026">`)).toBe(day);
});

test.each([
  ["Sat, 11/14/2026 - 17:57", "2026-11-14T17:57:00.000Z"],
  ["2022-1-26T14:32:06+02:00", "2022-01-26T12:32:06.000Z"],
  ["Sat, 14 Nov 2026 10:00:00 EST", "2026-11-14T15:00:00.000Z"],
  ["1763038829050", "2025-11-13T13:00:29.050Z"],
  ["25. März 2026", "2026-03-25T00:00:00.000Z"],
])("the date %s of a page is %s, wherever it stands", (text, at) => {
  expect(dateOf(`<meta property="article:published_time" content="${text}">`)).toBe(at);
  expect(dateOf(`<meta name="date" content="${text}">`)).toBe(at);
  expect(dateOf(`<script type="application/ld+json">{"@type":"Article","datePublished":"${text}"}</script>`)).toBe(at);
});

test("the first <time> below the headline is the date where nothing else is", () => {
  const first = '<time datetime="2026-03-02T10:00:00Z">2 March</time>';
  const later = '<time datetime="2026-03-04T10:00:00Z">4 March</time>';
  expect(dateOf(headline + first + prose + later)).toBe(moment);
  expect(dateOf(`${later}${prose}${headline}${first}`)).toBe(moment);
  expect(dateOf(`<meta name="date" content="2026-03-01T10:00:00Z">${headline}${first}`)).toBe(
    "2026-03-01T10:00:00.000Z",
  );
});

describe("a date that the page shows is a day", () => {
  test.each([
    ["newsdatum", '<p class="newsdatum">[<a href="/2026/">Montag, 2. März 2026</a>]</p>'],
    ["date", '<span class="date">02.03.2026</span>'],
    ["post-meta", '<div class="post-meta">Posted on March 2nd, 2026 by Jo</div>'],
    ["publishdate in parts", '<div class="PublishDate"><span>Montag,</span> <span>2. März 2026</span></div>'],
    ["last update", '<p class="article_date">Letzte Aktualisierung: 02.03.2026</p>'],
    ["byline", '<div class="byline">By Jo | 2 mars 2026, 11h51 | 0 comments</div>'],
    ["an id", '<em id="publish_time">2026-03-02 10:00</em>'],
    ["a short text", "<p>2 March 2026</p>"],
    ["a short text that begins with it", "<p>02.03.2026 10:16 Uhr - 1. Bundesliga</p>"],
    ["time without datetime", "<time>2. marraskuuta 2026</time>".replace("marraskuuta", "maaliskuuta")],
    ["an updated one", '<div class="date">January 1, 2027 / published March 2, 2026</div>'],
  ])("%s", (_what, shown) => expect(dateOf(headline + shown + prose)).toBe(day));

  test.each([
    [
      "in prose",
      `${headline}<p>On 2 March 2026 the council voted for the line after a long evening with many words.</p>`,
    ],
    ["in the footer", `${headline}${prose}<footer class="date">2 March 2026</footer>`],
    ["two ways to read it", `${headline}<p class="date">03/02/2026</p>`],
    ["class update", `${headline}${prose}<p class="candidate">Born 2 March 2026</p>`],
  ])("not: %s", (_what, html) => expect(dateOf(html)).toBeNull());
});

test("an exact date beats an inexact one of the same day, and no other", () => {
  const inexact = '<meta property="article:published_time" content="2026-03-02 18:00:00">';
  const exact = (date: string) => `<meta name="cXenseParse:recs:publishtime" content="${date}">`;
  expect(dateOf(inexact + exact("2026-03-02T10:00:00Z"))).toBe(moment);
  expect(dateOf(inexact + exact("2026-03-09T10:00:00Z"))).toBe("2026-03-02T18:00:00.000Z");
  const marked = time("02");
  expect(dateOf(`${headline}${marked}`, `${site}/2026/03/02/tram-line`)).toBe(moment);
});

test("a date without a zone is in the site's", () => {
  const at = (content: string) => {
    const body = Buffer.from(`<title>Tram line extended</title><meta name="date" content="${content}">`);
    const page = { url: `${site}/story`, body, robotsHeader: null };
    return readArticle({ ...page, site: { name: "The Post", timeZone: "America/New_York" } }).article.publishedAt;
  };
  expect(at("2026-03-02 05:00")).toBe(moment);
  expect(at("2026-07-02 06:00")).toBe("2026-07-02T10:00:00.000Z");
  expect(at("2026-03-02")).toBe("2026-03-02T05:00:00.000Z");
  expect(at("2026-03-02T10:00:00Z")).toBe(moment);
});
