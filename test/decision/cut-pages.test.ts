import { expect, test } from "vitest";
import { readArticle } from "../../src/decision/page/article.ts";

const page = (body: string) =>
  readArticle({ url: "https://news.example.com/story", body: Buffer.from(body), robotsHeader: null }).article;

const entries = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    "@type": "BlogPosting",
    headline: `Entry ${n}: the "second" bridge`,
    articleBody: "The council has taken a break. ".repeat(20),
  }));
const liveBlog = {
  "@context": "https://schema.org",
  "@type": "LiveBlogPosting",
  headline: "The vote on the bridge, as it happens",
  datePublished: "2026-03-02T10:00:00Z",
};
const script = (text: string) => `<!doctype html><title>Live</title><script type="application/ld+json">${text}`;

test("a live blog gives its date after 800 KB of entries in JSON-LD", () => {
  const { headline, datePublished, ...first } = liveBlog;
  const text = JSON.stringify({ ...first, liveBlogUpdate: entries(1_200), headline, datePublished });
  expect(text.length).toBeGreaterThan(800_000);
  expect(page(`${script(text)}</script>`)).toMatchObject({ publishedAt: "2026-03-02T10:00:00.000Z", title: headline });
});

test("a page that was cut within its JSON-LD gives what stands before the cut", () => {
  const text = JSON.stringify({ ...liveBlog, liveBlogUpdate: entries(10) });
  for (const length of [300, 900, 1_500, text.length - 1]) {
    expect(page(script(text.slice(0, length))), `${length}`).toMatchObject({
      publishedAt: "2026-03-02T10:00:00.000Z",
      type: "LiveBlogPosting",
    });
  }
  expect(page(script(text.slice(0, 120)))).toMatchObject({ publishedAt: null, type: "LiveBlogPosting" });
});

test("a page that was cut within a letter is UTF-8 all the same", () => {
  const whole = Buffer.from("<title>Größe der Brücke</title><p>Übergang für Fußgänger ü");
  const { article } = readArticle({
    url: "https://news.example.com/story",
    body: whole.subarray(0, whole.length - 1),
    robotsHeader: null,
  });
  expect(article.title).toBe("Größe der Brücke");
});
