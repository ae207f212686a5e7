import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readArticle } from "../../src/decision/page/article.ts";

const read = (html: string) =>
  readArticle({ url: "https://news.example.com/story", body: Buffer.from(html), robotsHeader: null }).article;
const textOf = (content: string, more = "") =>
  read(`<title>Ferry | The Post</title><meta property="og:description" content="${content}">${more}`).description;

const first =
  "The council has decided after eleven hours that the second bridge will be built from next spring, at the old quay.";
const second = "Work begins in May.";
const story = `<h1>Bridge</h1><p>By Jane Doe</p><p>${first} ${second}</p>`;

describe("the text below the title", () => {
  test.each([
    [
      "entities that were escaped twice",
      "Salt &amp;amp; sea: the &amp;quot;Tide&amp;quot; returns.",
      'Salt & sea: the "Tide" returns.',
    ],
    ["tags that were escaped", "&lt;p&gt;The &lt;b&gt;bridge&lt;/b&gt; opens.&lt;/p&gt;", "The bridge opens."],
    ["a tag that is cut", "The bridge opens.&lt;a class=", "The bridge opens."],
    ["a byline", "By Jane van Dyke – The bridge opens.", "The bridge opens."],
    ["a byline at the end", "Die Brücke ist offen. Von Jana Meier", "Die Brücke ist offen."],
    ["a bar at the end", "The bridge opens. |", "The bridge opens."],
    ["half a word", "The bridge opens in the mor...", "The bridge opens in the…"],
    ["a note to read on", "The bridge opens todayRead More", "The bridge opens…"],
  ])("has no %s", (_what, content, text) => {
    expect(textOf(content)).toBe(text);
  });

  test.each(["By the river the bridge opens – at last.", "5 < 6, says the council.", "Spread more salt, it says."])(
    "keeps %j",
    (text) => {
      expect(textOf(text)).toBe(text);
    },
  );

  test("is the first sentence of the story where the page has none, or only a name or a slogan", () => {
    expect(read(`<title>Bridge</title>${story}`).description).toBe(`${first} ${second}`);
    for (const content of [
      "Ferry",
      "The Post",
      "",
      "Get the latest news from the harbour.",
      "Posted by Jane Doe, Editor on Boats",
    ]) {
      const site = `<script type="application/ld+json">{"@type":"WebSite","name":"The Post"}</script>`;
      expect(textOf(content, site + story), content).toBe(`${first} ${second}`);
    }
    expect(textOf("Ferry")).toBe("Ferry");
  });

  test("is no paragraph of a menu, footer, cookie banner or caption, nor before the headline", () => {
    const asides = ["nav", "footer", "aside", "figure"].map(
      (tag) => `<${tag}><p>${"Other words. ".repeat(9)}</p></${tag}>`,
    );
    const cookies = `<p>We use cookies. ${"You may choose them here. ".repeat(9)}</p>`;
    expect(
      read(`<p>${"Before it all. ".repeat(9)}</p><h1>Bridge</h1>${asides.join("")}${cookies}<p>${first}</p>`)
        .description,
    ).toBe(first);
  });

  test("is completed to the end of its sentence from a paragraph that begins alike", () => {
    expect(textOf(`${first.slice(0, 60)}...`, story)).toBe(first);
    expect(textOf(first.slice(0, 57), story)).toBe(first);
    expect(textOf("The council has not decided yet wheth...", story)).toBe("The council has not decided yet…");
  });
});

describe("a word of a notice", () => {
  const aboutIt = [
    "Bakers sell twice as many cookies before the holidays as last year.",
    "The council's newsletters are printed on paper again, and readers like it.",
    "JavaScript turns thirty: how a language of ten days took over the web.",
    "Why regulators want fewer cookie banners, and what may come instead of them.",
    "A newsletter told the mayor's plans before the council knew of them.",
  ];
  test.each(aboutIt)("does not reject a text that is about it: %s", (text) => expect(textOf(text, story)).toBe(text));

  test.each([
    "We use cookies to improve your experience on our website.",
    "This site uses cookies. Accept all cookies to go on.",
    "Wir und unsere Partner verwenden Cookies auf dieser Seite.",
    "Please enable JavaScript to read this page.",
    "You need to enable JavaScript to run this app.",
    "JavaScript is disabled in your browser.",
    "Sign up for our newsletter to get the news every morning.",
    "Jetzt den Newsletter abonnieren und nichts verpassen.",
  ])("rejects a text that is one: %s", (text) => expect(textOf(text, story)).toBe(`${first} ${second}`));

  test("rejects only the text in which it stands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...aboutIt), fc.constantFrom("", "By Jane Doe – "), (text, byline) => {
        expect(textOf(byline + text, `<p>We use cookies to give you ${"more ".repeat(20)}</p>`)).toBe(text);
      }),
    );
  });
});

test.each(["横浜で新しい路面電車が開通し、多くの人が集まり…", "รถรางสายใหม่เปิดให้บริการแล้ววันนี้ที่ท่าเรือ…"])(
  "a text without spaces is not cut further: %s",
  (text) => expect(textOf(text)).toBe(text),
);

const pictureOf = (...addresses: string[]) =>
  read(`<title>Ferry</title>${addresses.map((address) => `<meta property="og:image" content="${address}">`).join("")}`)
    .imageUrl;

describe("the picture", () => {
  test("of a story at http is tried at https, after those that are at https", () => {
    expect(pictureOf("http://img.example.com/ferry.jpg")).toBe("https://img.example.com/ferry.jpg");
    expect(pictureOf("http://img.example.com/a.jpg", "https://img.example.com/b.jpg")).toBe(
      "https://img.example.com/b.jpg",
    );
    expect(pictureOf("http://img.example.com:8080/a.jpg")).toBeNull();
  });

  test.each([
    ...[
      "/logo.png",
      "/img/post-logo-white.png",
      "/default.jpg",
      "/og-image.png",
      "/fb.jpg",
      "/blank.gif",
      "/assets/icons/star.png",
    ],
    ...[
      "/avatars/jane.jpg",
      "/placeholder-1200x630.jpg",
      "/institutionlogo29539",
      "/a/ferry.svg",
      "/ferry-100x100.jpg",
    ],
  ])("is not %s", (path) => {
    expect(pictureOf(`https://img.example.com${path}`)).toBeNull();
    expect(pictureOf(`https://img.example.com${path}`, "https://img.example.com/ferry.jpg")).toBe(
      "https://img.example.com/ferry.jpg",
    );
  });

  test.each([
    "/ferry-1200x630.jpg",
    "/new-logos-of-the-league.jpg",
    "/ice_social.jpg",
    "/100x100/ferry.jpg?w=1200",
    "/images/image-of-ferry.jpg",
  ])("may be %s", (path) => {
    expect(pictureOf(`https://img.example.com${path}`)).toBe(`https://img.example.com${path}`);
  });

  test("is not what JSON-LD calls the publisher's logo", () => {
    const image = "https://img.example.com/post.png";
    const linked = {
      "@type": "NewsArticle",
      headline: "Ferry",
      image,
      publisher: { name: "Post", logo: { url: image } },
    };
    expect(read(`<script type="application/ld+json">${JSON.stringify(linked)}</script>`).imageUrl).toBeNull();
  });
});

describe("a picture", () => {
  test.each([
    ["a folder with a long number", "https://img.example.com/galerie/nwd_789720_623516/image.jpg?ts=1582173042"],
    ["a folder of a month", "https://img.example.com/uploads/2020/04/image7.jpg"],
    ["a folder of a month", "https://img.example.com/img/2019/04/mr1/facebook.jpg?1556645448"],
    [
      "an address in its query",
      "https://img.example.com/mm/image?w=2000&amp;url=https%3A%2F%2Fcdn.example.com%2Fferry.jpg",
    ],
    ["a shape in its name", "https://img.example.com/ferry_hpMain_16x9.jpg?w=992"],
    ["the folder of its page", "https://img.example.com/harbour-ferry/card.jpg"],
  ])("may have a general name in or with %s", (_what, address) => {
    const html = `<title>Ferry</title><meta property="og:image" content="${address}">`;
    const page = { url: "https://news.example.com/harbour-ferry/", body: Buffer.from(html), robotsHeader: null };
    expect(readArticle(page).article.imageUrl).toBe(address.replaceAll("&amp;", "&"));
  });

  test.each([
    ["a general name", "https://img.example.com/i/facebook.png", "600", "https://img.example.com/i/facebook.png"],
    ["a general name", "https://img.example.com/i/facebook.png", "200", null],
    ["a general name", "https://img.example.com/i/facebook.png", "wide", null],
    ["a logo", "https://img.example.com/2026/03/logo.png", "1200", null],
    ["a stand-in", "https://img.example.com/750x506/default_500.png", "1200", null],
    ["a logo in a query", "https://img.example.com/image?url=https%3A%2F%2Fcdn.example.com%2Flogo.png", "1200", null],
  ])("%s %s of %s declared pixels", (_what, address, width, expected) => {
    const html = `<meta property="og:image" content="${address}"><meta property="og:image:width" content="${width}">`;
    expect(read(`<title>Ferry</title>${html}`).imageUrl).toBe(expected);
  });
});
