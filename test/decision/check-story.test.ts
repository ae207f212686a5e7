import { describe, expect, test } from "vitest";
import { checkStory } from "../../src/decision/check-story.ts";
import type { StoryFacts } from "../../src/decision/checks/check.ts";
import { emptyArticle } from "../../src/decision/page/article.ts";
import { factsOf, siteOf } from "./story-facts.ts";

const now = Date.parse("2026-03-02T12:00:00Z");

const unread = { ...factsOf("bare"), article: emptyArticle("https://news.example.com/story"), signals: null };
const codes = (facts: StoryFacts, at = now) =>
  checkStory(facts, at).reasons.map(({ code, effect }) => `${effect} ${code}`);

describe("checkStory", () => {
  test.each(["unreachable", "tls", "timeout", "too_large", "too_many_redirects", "bad_answer"] as const)(
    "what could not be fetched is skipped, with no other reason: %s",
    (reason) => expect(codes({ ...unread, fetched: { kind: "unreachable", reason } })).toEqual(["blocks unreachable"]),
  );

  test("a status other than 200 and what is not HTML are skipped", () => {
    expect(codes({ ...unread, fetched: { kind: "page", status: 404, isHtml: true } })).toEqual(["blocks http_status"]);
    expect(codes({ ...unread, fetched: { kind: "page", status: 200, isHtml: false } })).toEqual(["blocks not_html"]);
  });

  test("noindex for all robots or for Google blocks, other directives do not", () => {
    const page = (name: string, content: string) =>
      factsOf(`<title>Tram</title><meta name=${name} content="${content}">`);
    expect(checkStory(page("googlebot", "noindex"), now).decision).toBe("skip");
    expect(checkStory(page("robots", "none"), now).decision).toBe("skip");
    expect(checkStory(page("robots", "nofollow, noarchive, max-snippet:-1"), now).decision).toBe("send");
    expect(checkStory(page("otherbot", "noindex"), now).decision).toBe("send");
  });

  test("a root address blocks whatever the page says of itself, and the same words at another path do not", () => {
    expect(codes(factsOf("home", "https://news.example.com/"))).toContain("blocks not_article");
    expect(checkStory(factsOf("home", "https://news.example.com/tram"), now).decision).toBe("send");
    expect(checkStory(factsOf("bare", "https://news.example.com/"), now).decision).toBe("skip");
    expect(checkStory(factsOf("news-article", "https://news.example.com/"), now).decision).toBe("skip");
  });
});

describe("a page that declares that it is no story", () => {
  const letRead = "Let Pressbell read the story as readers do, or use another address.";
  const website = '<title>All on the bridge</title><meta property="og:type" content="website">';
  test.each([
    ["/", website, "a home page"],
    ["/de/", website, "a home page"],
    ["/index.html", website, "a home page"],
    ["/?s=bridge", "<title>Bridge</title>", "a page of search results"],
    ["/search/", "<title>Bridge</title>", "a page of search results"],
    ["/Tags/Bridges", "<title>Bridges</title>", "a tag page"],
    ["/author/desk/", "<title>Desk</title>", "an author's page"],
    ["/category/local", "<title>Local</title>", "a section page"],
    ["/sport/page/2", "<title>Sport</title>", "a list of stories"],
    ["/topics/harbour", website, "a section page"],
    ["/archive/2026/03", website, "a list of stories"],
    ["/opinion", website, "a section page"],
    ["/tag/bridges", `${website}<meta property="article:published_time" content="2026-03-02T10:00:00Z">`, "a tag page"],
    [
      "/x",
      "<title>404 | The Post</title>",
      "an error page",
      "page_without_story",
      "Publish the story, or check the address.",
    ],
    ["/x", "<title>Sign in to continue</title>", "a sign-in page", "page_hides_story", letRead],
    ["/x", "<title>Access denied</title>", "a consent or robot check", "page_hides_story", letRead],
  ])("%s is no story", (path, html, kind, messageCode = "page_no_story", advice = "Use the address of one story.") => {
    const { reasons } = checkStory(factsOf(html, `https://news.example.com${path}`), now);
    expect(reasons[0]).toEqual({
      code: "not_article",
      effect: "blocks",
      message: `This is ${kind}. ${advice}`,
      messageCode,
      params: { what: { message: kind, code: expect.any(String), params: {} } },
    });
  });

  test.each([
    ["/tag/bridges/2026/opening", website],
    ["/author/desk", '<title>Desk</title><meta property="og:type" content="article">'],
    ["/category/local", '<title>Local</title><script type="application/ld+json">{"@type":"Article"}</script>'],
    ["/politics", "<title>Politics of the bridge</title>"],
    ["/topics/harbour/2026/03/bridge", website],
    ["/search-for-the-wreck", website],
    ["/x", "<title>404 days without rain</title>"],
    ["/x", "<title>Log in, drop out: the weekend essay</title>"],
    ["/x", '<title>Access denied</title><meta name="date" content="2026-03-02T10:00:00Z">'],
  ])("%s may be a story, row %#", (path, html) => {
    expect(checkStory(factsOf(html, `https://news.example.com${path}`), now).decision).toBe("send");
  });
});

describe("paid content", () => {
  const dated = '<title>A story</title><meta name="date" content="2026-03-02T10:00:00Z">';
  test.each([
    ["/sponsored/roof", dated],
    ["/2026/Anzeigen/roof", dated],
    ["/roof", `${dated}<link rel="canonical" href="/paid-post/roof">`],
    ["/roof", `${dated}<meta property="article:section" content=" Sponsored Content ">`],
    ["/roof", `${dated}<meta name="advertorial" content="1">`],
    [
      "/roof",
      `${dated}<script type="application/ld+json">{"@type":"Article","articleSection":["Home","Advertorial"]}</script>`,
    ],
  ])("%s is paid content, row %#", (path, html) => {
    expect(codes(factsOf(html, `https://news.example.com${path}`))).toContain("blocks paid_content");
  });

  test.each([
    ["/2026/anzeige", dated],
    ["/anzeige-gegen-den-hafen/", dated],
    ["/roof", `${dated}<meta name="keywords" content="sponsored">`],
    ["/roof", `${dated}<meta name="sponsored" content="false">`],
    ["/roof", `${dated}<meta property="article:section" content="Advertising industry">`],
  ])("%s only mentions it, row %#", (path, html) => {
    expect(checkStory(factsOf(html, `https://news.example.com${path}`), now).decision).toBe("send");
  });
});

describe("the date of a story", () => {
  test("blocks if it is older than the limit, to the second, and not if it is in the future", () => {
    const dated = (at: string) => factsOf(`<title>Tram</title><meta name=date content="${at}">`);
    expect(checkStory(dated("2026-02-28T12:00:00Z"), now).decision).toBe("send");
    expect(codes(dated("2026-02-28T11:59:59Z"))).toContain("blocks too_old");
    expect(checkStory({ ...dated("2026-02-28T11:59:59Z"), freshnessHours: 49 }, now).decision).toBe("send");
    expect(checkStory(dated("2026-03-05T00:00:00Z"), now).decision).toBe("send");
  });

  test("beside a reason that blocks no other is given", () => {
    const facts = factsOf("<title>Tram</title><meta name=robots content=noindex><meta name=date content=2020-01-01>");
    expect(codes(facts)).toEqual(["blocks noindex", "blocks too_old"]);
    const dated = factsOf("<title>Tram</title><meta name=date content=2026-03-01>");
    expect(codes(dated).length).toBeGreaterThan(2);
  });

  test("a date without a time gets a day of tolerance", () => {
    const dated = (at: string) => factsOf(`<title>Tram</title><meta name=date content="${at}">`);
    expect(checkStory(dated("2026-02-28"), now).decision).toBe("send");
    expect(checkStory(dated("2026-02-27"), now).decision).toBe("skip");
  });

  test("the age of a live blog counts from its last change until its coverage ends", () => {
    const live = (more: string) =>
      factsOf(
        `<title>Storm</title><script type="application/ld+json">{"@type":"LiveBlogPosting","datePublished":"2026-02-20T10:00:00Z"${more}}</script>`,
      );
    expect(codes(live(""))).toContain("blocks too_old");
    expect(codes(live(',"dateModified":"2026-03-02T11:00:00Z"'))).toContain("raises live_blog");
    const ended = live(',"dateModified":"2026-03-02T11:00:00Z","coverageEndTime":"2026-03-02T11:00:00Z"');
    expect(codes(ended)).toContain("informs live_blog");
  });

  test("a page that shows a date is not said to have none", () => {
    const message = (html: string) =>
      checkStory(factsOf(`<title>Tram</title>${html}`), now).reasons.find(({ code }) => code === "no_date")?.message;
    expect(message("<p>The tram runs again since 2 March 2026.")).toMatch(/^The page shows dates, but none/);
    expect(message("<p>Posted 03/02/2026")).toMatch(/^The page shows dates, but none/);
    expect(message('<time datetime="2026-03-02">today</time>')).toMatch(/^The page shows dates, but none/);
    expect(message("<meta name=date content=yesterday>")).toMatch(/^The page shows dates, but none/);
    expect(message("<p>© 2026 The Post, 24-28 Mill Lane")).toMatch(/^The page does not say when it was published/);
  });

  test("times are those of the site's zone, also where that is another day", () => {
    const site = siteOf({ timeZone: "Asia/Tokyo", storySentAt: new Date("2026-03-01T20:30:00Z") });
    const message = (date: string, code: string) => {
      const facts = { ...factsOf(`<title>Tram</title><meta name=date content="${date}">`), site };
      const alone = code === "already_sent" ? facts : { ...facts, site: siteOf({ timeZone: "Asia/Tokyo" }) };
      return checkStory(alone, now).reasons.find((reason) => reason.code === code)?.message;
    };
    expect(message("2026-03-02T11:00:00Z", "already_sent")).toContain("at 2026-03-02 05:30 (Asia/Tokyo).");
    expect(message("2026-03-02T18:00:00Z", "future_date")).toContain("gives 2026-03-03 03:00 (Asia/Tokyo) as");
    expect(message("2026-02-20T18:00:00Z", "too_old")).toContain("is from 2026-02-21, older");
    expect(message("2026-02-20", "too_old")).toContain("is from 2026-02-20, older");
  });

  test("a future date is reported beyond 15 minutes, and beyond a day if it has no time", () => {
    const facts = (at: string) => factsOf(`<title>Tram</title><meta name=date content="${at}">`);
    expect(codes(facts("2026-03-02T12:15:00Z"))).not.toContain("informs future_date");
    expect(codes(facts("2026-03-02T12:15:01Z"))).toContain("informs future_date");
    expect(codes(facts("2026-03-03"))).not.toContain("informs future_date");
    expect(codes(facts("2026-03-04"))).toContain("informs future_date");
  });
});

describe("the notification of a story", () => {
  test("a title or a description that will be cut is reported", () => {
    const facts = factsOf(
      `<title>${"long ".repeat(30)}</title><meta name=description content="${"long ".repeat(60)}">`,
    );
    expect(codes(facts).slice(1)).toEqual([
      ...["lowers title_cut", "lowers title_long", "informs description_cut", "lowers no_image"],
    ]);
  });

  test("a long title is quoted as a phone shows it, and a wide character counts twice", () => {
    const quoted = (title: string) =>
      checkStory(factsOf(`<title>${title}</title>`), now).reasons.find(({ code }) => code === "title_long")?.message;
    expect(quoted("word ".repeat(13))).toBeUndefined();
    expect(quoted("word ".repeat(14))).toContain(`“${"word ".repeat(12)}word…”.`);
    expect(quoted("橋".repeat(32))).toBeUndefined();
    expect(quoted("橋".repeat(33))).toContain("橋…”.");
  });

  test("the caller's texts may be missing on the page, and its title is the one that is checked", () => {
    const given = { title: "Tram line extended to the sea", body: true, imageUrl: true };
    expect(codes({ ...factsOf("no-title"), given })).toEqual(["informs no_title", "informs no_date"]);
    expect(checkStory({ ...factsOf("no-title"), given }, now).decision).toBe("send");
    expect(codes({ ...factsOf("title-too-long"), given })).not.toContain("lowers title_long");
    expect(codes({ ...factsOf("bare"), given: { ...given, title: "Now" } })).toContain("lowers title_short");
  });

  test("the score lies between 0 and 1, has two decimals, and is 0 for a skip", () => {
    for (const page of ["live-blog", "title-short", "shop-product", "old"]) {
      const { score, decision } = checkStory(factsOf(page), now);
      expect([score >= 0 && score <= 1, score === Math.round(score * 100) / 100]).toEqual([true, true]);
      expect(decision === "skip").toBe(score === 0);
    }
  });
});
