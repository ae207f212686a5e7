import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { noArticle, readArticle } from "../../src/decision/article.ts";
import { judge, type StoryFacts } from "../../src/decision/judge.ts";

const now = Date.parse("2026-03-02T12:00:00Z");

/** The facts of a page that was read: from test/decision/pages, or its HTML. */
function factsOf(page: string, url = "https://news.example.com/story"): StoryFacts {
  const body = page.includes("<")
    ? Buffer.from(page)
    : readFileSync(new URL(`./pages/${page}.html.txt`, import.meta.url));
  const read = readArticle({ url, body, robotsHeader: null });
  const fetched = { kind: "page", status: 200, isHtml: true } as const;
  return { fetched, ...read, given: { title: false, imageUrl: false }, freshnessHours: 48 };
}

const unread = { ...factsOf("bare"), article: noArticle("https://news.example.com/story"), signs: null };
const codes = (facts: StoryFacts, at = now) => judge(facts, at).reasons.map(({ code, effect }) => `${effect} ${code}`);

const pages: [page: string, decision: string, score: number, ...reasons: string[]][] = [
  ["news-article", "send", 0.9, "raises article_type", "raises recent", "informs canonical_elsewhere"],
  ["open-graph", "send", 0.7, "raises article_type"],
  ["bare", "send", 0.4, "lowers no_description", "lowers no_image"],
  ["noindex-meta", "skip", 0, "blocks noindex", "lowers no_image"],
  ["amp", "send", 0.7, "raises article_type", "informs canonical_elsewhere"],
  ["gallery", "send", 0.8, "raises article_type", "raises recent", "lowers no_description"],
  ["broken", "send", 0.6, "raises article_type", "lowers no_image"],
  ["no-title", "skip", 0, "blocks no_title", "lowers no_image"],
  [
    "canonical-elsewhere",
    "send",
    0.6,
    "raises recent",
    "lowers no_description",
    "lowers no_image",
    "informs canonical_elsewhere",
  ],
  ["german-latin1", "send", 0.5, "lowers no_image"],
];

describe("judge", () => {
  test.each(pages)("%s.html: %s, %d", (page, decision, score, ...reasons) => {
    expect(judge(factsOf(page), now)).toMatchObject({ decision, score });
    expect(codes(factsOf(page))).toEqual(reasons);
  });

  test("every reason tells an editor something in a whole sentence", () => {
    for (const { message } of pages.flatMap(([page]) => judge(factsOf(page), now).reasons))
      expect(message).toMatch(/^[A-Z].+\.$/);
  });

  test.each(["unreachable", "tls", "timeout", "too_large", "too_many_redirects", "bad_answer"] as const)(
    "what could not be fetched is skipped, with no other reason: %s",
    (reason) => expect(codes({ ...unread, fetched: { kind: "unreachable", reason } })).toEqual(["blocks unreachable"]),
  );

  test("a status other than 200 and what is not HTML are skipped", () => {
    expect(codes({ ...unread, fetched: { kind: "page", status: 404, isHtml: true } })).toEqual(["blocks http_status"]);
    expect(codes({ ...unread, fetched: { kind: "page", status: 200, isHtml: false } })).toEqual(["blocks not_html"]);
  });

  test("noindex for everybody or for Google blocks, other directives do not", () => {
    const page = (name: string, content: string) =>
      factsOf(`<title>Tram</title><meta name=${name} content="${content}">`);
    expect(judge(page("googlebot", "noindex"), now).decision).toBe("skip");
    expect(judge(page("robots", "none"), now).decision).toBe("skip");
    expect(judge(page("robots", "nofollow, noarchive, max-snippet:-1"), now).decision).toBe("send");
    expect(judge(page("otherbot", "noindex"), now).decision).toBe("send");
  });

  test("a home page blocks when it says so itself, and the same words elsewhere do not", () => {
    expect(codes(factsOf("home", "https://news.example.com/"))).toContain("blocks not_article");
    expect(judge(factsOf("home", "https://news.example.com/tram"), now).decision).toBe("send");
    expect(judge(factsOf("bare", "https://news.example.com/"), now).decision).toBe("send");
    expect(judge(factsOf("news-article", "https://news.example.com/"), now).decision).toBe("send");
  });

  test("a story blocks when it is older than the limit, to the second, and one from the future does not", () => {
    const dated = (at: string) => factsOf(`<title>Tram</title><meta name=date content="${at}">`);
    expect(judge(dated("2026-02-28T12:00:00Z"), now).decision).toBe("send");
    expect(codes(dated("2026-02-28T11:59:59Z"))).toContain("blocks too_old");
    expect(judge({ ...dated("2026-02-28T11:59:59Z"), freshnessHours: 49 }, now).decision).toBe("send");
    expect(judge(dated("2026-03-05T00:00:00Z"), now).decision).toBe("send");
  });

  test("a date without a time gets a day of doubt", () => {
    const dated = (at: string) => factsOf(`<title>Tram</title><meta name=date content="${at}">`);
    expect(judge(dated("2026-02-28"), now).decision).toBe("send");
    expect(judge(dated("2026-02-27"), now).decision).toBe("skip");
  });

  test("a title or a text that will be cut is told", () => {
    const facts = factsOf(
      `<title>${"long ".repeat(30)}</title><meta name=description content="${"long ".repeat(60)}">`,
    );
    expect(codes(facts)).toEqual(["lowers title_cut", "informs description_cut", "lowers no_image"]);
  });

  test("what the caller gives is not missed on the page", () => {
    const given = { title: true, imageUrl: true };
    expect(codes({ ...factsOf("no-title"), given })).toEqual(["informs no_title"]);
    expect(judge({ ...factsOf("no-title"), given }, now).decision).toBe("send");
  });
});
