import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkStory } from "../../src/decision/check-story.ts";
import { factsOf } from "./story-facts.ts";

/** Pages as publishers report them, but with our own values. */
const prose = "<p>The vote followed a long evening of speeches from residents, engineers and shop keepers.</p>".repeat(
  20,
);
const page = (title: string, json: string, more = "") =>
  factsOf(`<!doctype html><html lang="en"><head><title>${title}</title>${more}
    <script type="application/ld+json">${json}</script></head><body><article><h1>${title}</h1>${prose}</article></body></html>`);

test("entities in the title, the headline and JSON-LD are read once", () => {
  const title = "You won&#8217;t believe it&#8217;s not&nbsp;butter";
  const json = JSON.stringify({ "@type": "NewsArticle", headline: title, datePublished: "2026-11-25T12:00:00Z" });
  const { article } = page(title, json);
  expect(article).toMatchObject({
    title: "You won’t believe it’s not butter",
    publishedAt: "2026-11-25T12:00:00.000Z",
  });
});

test("entities in any text and address of JSON-LD are read", () => {
  const json = JSON.stringify({
    "@type": "NewsArticle",
    headline: "Q&amp;amp;A: the bridge",
    description: "It&amp;#39;s open.",
    image: "https://images.example.com/bridge.jpg?w=1200&amp;h=630",
    mainEntityOfPage: "https://news.example.com/story?id=7&amp;page=2",
    publisher: {
      "@type": "Organization",
      name: "Salt &amp; Sea",
      logo: "https://images.example.com/a.png?b=1&amp;c=2",
    },
  });
  const { article } = factsOf(
    `<title>Q&amp;A: the bridge | Salt &amp; Sea</title><script type="application/ld+json">${json}</script>`,
    "https://news.example.com/story?id=7&page=2",
  );
  expect(article).toMatchObject({
    title: "Q&A: the bridge",
    description: "It's open.",
    type: "NewsArticle",
    imageUrl: "https://images.example.com/bridge.jpg?w=1200&h=630",
  });
});

test("a title that holds the site's name as a word keeps its half", () => {
  const title = "Storm hits the coast – Echo readers send pictures";
  const json = JSON.stringify({ "@type": "NewsArticle", headline: title, datePublished: "2026-11-25T12:00:00Z" });
  const metas = `<meta property="og:title" content="${title}"><meta property="og:site_name" content="Echo">`;
  expect(page(title, json, metas).article.title).toBe(title);
});

describe("an old story whose JSON-LD has a fault is too old", () => {
  const json = JSON.stringify({
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: "Council votes to rebuild the bridge",
    datePublished: "2026-11-13T13:00:29.050Z",
  });
  const faults = [
    `${json};`,
    `${json},`,
    json.replace("}", ",}"),
    `<!-- ${json} -->`,
    `/* <![CDATA[ */${json}/* ]]> */`,
    json.replace("rebuild", "re\n\tbuild"),
    `${json}}`,
    json.slice(0, -1),
  ];
  const codesOf = (text: string) => {
    const facts = page("Council votes to rebuild the bridge", text);
    return checkStory(facts, Date.parse("2026-11-25T12:00:00Z")).reasons.map(({ code }) => code);
  };

  test.each(faults)("%s", (text) => expect(codesOf(text)).toEqual(["too_old"]));

  test("with several faults at once", () => {
    fc.assert(
      fc.property(fc.subarray([";", ",", " ", "\n", "//\n", "]]>", "-->", "}"]), (marks) => {
        expect(codesOf(json + marks.join(""))).toEqual(["too_old"]);
      }),
      { numRuns: 30 },
    );
  });
});

test("a page with nothing but a headline has a title", () => {
  expect(factsOf(`<h1>Council votes to rebuild the bridge</h1>${prose}`).article.title).toBe(
    "Council votes to rebuild the bridge",
  );
});
