import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { decideStory, type StoryRequest } from "../../src/decision/decide-story.ts";
import { emptyArticle } from "../../src/decision/page/article.ts";
import type { Page, PageResult } from "../../src/egress/page/fetch-page.ts";
import { AppError } from "../../src/errors.ts";
import { openTestApp } from "../fixtures/app.ts";

const url = "https://news.example.com/tram";
const now = () => Date.parse("2026-03-02T12:00:00Z");

function pageOf(more: Partial<Page> = {}): Page {
  const body = Buffer.from("<!doctype html><title>Tram line extended</title>");
  return { kind: "page", url, status: 200, contentType: "text/html", robotsHeader: null, body, ...more };
}

let app: App;
beforeAll(async () => {
  app = await openTestApp();
});

function decide(result: PageResult, given: StoryRequest["given"] = {}) {
  return decideStory({ ...app, now, pages: { fetchPage: async () => result } }, { url, given });
}

describe("decideStory", () => {
  test("returns the decision, the article and the notification, and nothing else", async () => {
    const verdict = await decide(pageOf(), { body: "Two new stops." });
    expect(verdict).toMatchObject({ decision: "send", score: 0.5, article: { url, title: "Tram line extended" } });
    expect(verdict.nudge).toEqual({ title: "Tram line extended", body: "Two new stops.", imageUrl: null });
    expect(Object.keys(verdict).sort()).toEqual(["article", "audience", "decision", "nudge", "reasons", "score"]);
    expect(Object.keys(verdict.article).sort()).toEqual(Object.keys(emptyArticle(url)).sort());
    for (const reason of verdict.reasons)
      expect(Object.keys(reason)).toEqual(["code", "effect", "message", "messageCode", "params"]);
  });

  test.each([
    ["a bare page", ""],
    [
      "a long title and description",
      `<title>${"Tram ".repeat(30)}</title><meta name=description content="${"stop ".repeat(60)}">`,
    ],
    ["a picture", '<meta property="og:image" content="https://news.example.com/tram.jpg">'],
  ])("with the notification that it has written from %s it decides the same", async (_, head) => {
    const body = Buffer.from(`<!doctype html>${head}<title>Tram line extended</title>`);
    const { nudge, decision, score, reasons } = await decide(pageOf({ body }));
    const taken = { title: nudge.title, body: nudge.body ?? "", imageUrl: nudge.imageUrl ?? "" };
    expect(await decide(pageOf({ body }), taken)).toMatchObject({ decision, score, reasons });
  });

  test("skips an unreachable page, with an empty article and the caller's own notification", async () => {
    const verdict = await decide({ kind: "unreachable", reason: "unreachable" }, { title: "Tram" });
    expect(verdict.audience).toBeNull();
    expect(verdict).toMatchObject({ decision: "skip", score: 0, reasons: [{ code: "unreachable", effect: "blocks" }] });
    expect(verdict.article).toEqual(emptyArticle(url));
    expect(verdict.nudge).toEqual({ title: "Tram", body: null, imageUrl: null });
  });

  test.each([
    ["http_status", { status: 404 }],
    ["not_html", { contentType: "application/pdf" }],
    ["not_html", { contentType: "", body: Buffer.from("%PDF-1.7") }],
    ["noindex", { robotsHeader: "noindex" }],
  ])("skips with %s", async (code, more) => {
    expect(await decide(pageOf(more))).toMatchObject({
      decision: "skip",
      reasons: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  test("does not read a story from an error page", async () => {
    expect((await decide(pageOf({ status: 404 }))).nudge.title).toBeNull();
  });

  test("reads XHTML, and HTML without a content type", async () => {
    for (const contentType of ["application/xhtml+xml", ""]) {
      expect(await decide(pageOf({ contentType }))).toMatchObject({ decision: "send" });
    }
  });

  test("throws url_not_allowed for a URL that must not be fetched, with the field", async () => {
    const thrown = await decide({ kind: "refused", reason: "port" }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({
      code: "url_not_allowed",
      details: { errors: [{ path: "/url", message: "Use the standard HTTPS port, 443." }] },
    });
  });
});
