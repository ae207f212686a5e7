import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createCookieJar } from "../../src/egress/page/cookie-jar.ts";
import { createPageFetcher, type PageFetcher } from "../../src/egress/page/fetch-page.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { type Answerer, startCanary, startPageServer, trust } from "./page-fixture.ts";

/** Returns the Cookie header of a request to `to` after an answer from `from`. */
function sent(from: string, setCookie: string | string[], to: string): string | undefined {
  const jar = createCookieJar(() => Date.parse("2026-12-01T12:00:00Z"));
  jar.take(new URL(from), { "set-cookie": setCookie });
  return jar.headerFor(new URL(to));
}

const story = "https://www.press.example/news/story";

describe("a cookie goes", () => {
  test.each([
    ["back to its page", "a=1", story, "a=1"],
    ["to its folder", "a=1", "https://www.press.example/news/other", "a=1"],
    ["not above its folder", "a=1", "https://www.press.example/", undefined],
    ["where its path says", "a=1; Path=/", "https://www.press.example/", "a=1"],
    ["below its path", "a=1; Path=/news/story", "https://www.press.example/news/story/2", "a=1"],
    ["not beside its path", "a=1; Path=/news/sto", story, undefined],
    ["whatever the case of its attributes", "a=1; PATH=/; SECURE; HttpOnly; SameSite=Lax", story, "a=1"],
    ["not to another host of the domain", "a=1; Path=/", "https://press.example/", undefined],
    ["to its domain", "a=1; Path=/; Domain=press.example", "https://press.example/", "a=1"],
    ["to a host of its domain", "a=1; Path=/; Domain=.Press.Example", "https://app.press.example/", "a=1"],
    ["not to a name that ends alike", "a=1; Path=/; Domain=press.example", "https://other-press.example/", undefined],
    ["not to another site", "a=1; Path=/", "https://other.example/", undefined],
    ["nowhere for a domain of others", "a=1; Path=/; Domain=other.example", "https://other.example/", undefined],
    ["nowhere for a top-level domain", "a=1; Path=/; Domain=example", story, undefined],
    ["nowhere once it is over", "a=1; Max-Age=0", story, undefined],
    ["nowhere after its last day", "a=1; Expires=Tue, 01 Dec 2026 11:59:59 GMT", story, undefined],
    ["until its last day", "a=1; Expires=Tue, 01 Dec 2026 12:00:01 GMT", story, "a=1"],
    ["by its age, whatever its last day", "a=1; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT", story, "a=1"],
    ["with an equals sign in its value", "a=b=c", story, "a=b=c"],
    ["without a name", "seen", story, "seen"],
    ["nowhere where it is empty", "; Path=/", story, undefined],
    ["nowhere where it is too long", `a=${"x".repeat(5_000)}`, story, undefined],
  ])("%s", (_where, setCookie, to, header) => expect(sent(story, setCookie, to)).toBe(header));

  test("not from one address to another that ends alike", () => {
    expect(sent("https://1.2.3.4/", "a=1; Domain=3.4", "https://5.2.3.4/")).toBeUndefined();
  });

  test("with others, those of the longer path first, and the last of a name", () => {
    const cookies = ["a=1; Path=/", "b=2; Path=/news", "a=3; Path=/", "c=4; Path=/", "c=; Path=/; Max-Age=0"];
    expect(sent(story, cookies, story)).toBe("b=2; a=3");
  });

  test("in a header of 8 KiB at most, of fifty cookies at most", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary-ascii", maxLength: 4_200 }), { maxLength: 90 }), (lines) => {
        const header = sent(story, lines, story) ?? "";
        expect(header.length).toBeLessThanOrEqual(8_192);
        expect(header.split("; ").length).toBeLessThanOrEqual(50);
      }),
    );
  });
});

describe("a fetch with its redirects", () => {
  let pages: PageFetcher;
  let origin: string;
  let answer: Answerer;
  let cookies: (string | undefined)[];

  beforeAll(async () => {
    const certificate = await createCertificate("cookies");
    trust(certificate);
    const server = await startPageServer(certificate, (request, response) => {
      cookies.push(request.headers.cookie);
      answer(request, response);
    });
    pages = createPageFetcher({ allowHosts: [`localhost:${server.port}`] });
    afterFile(async () => {
      await pages.close();
      await server.close();
    });
    origin = `https://localhost:${server.port}`;
  });

  /**
   * Answers with a cookie and a redirect to the same page until the cookie is sent, as consent and paywall layers do.
   */
  const askForCookie: Answerer = (request, response) => {
    if (request.headers.cookie === "seen=1") return void response.end("<title>Story</title>");
    response.writeHead(302, { "set-cookie": "seen=1; Path=/; Secure", location: "/story" }).end();
  };

  test("gives back the cookie that a page asks for", async () => {
    [answer, cookies] = [askForCookie, []];
    expect(await pages.fetchPage(`${origin}/story`)).toMatchObject({
      kind: "page",
      status: 200,
      url: `${origin}/story`,
    });
    expect(cookies).toEqual([undefined, "seen=1"]);
  });

  test("forgets it: the next fetch brings none", async () => {
    [answer, cookies] = [askForCookie, []];
    await pages.fetchPage(`${origin}/story`);
    await pages.fetchPage(`${origin}/story`);
    expect(cookies).toEqual([undefined, "seen=1", undefined, "seen=1"]);
  });

  test("never follows a redirect with a cookie further than one without", async () => {
    const inside = await startCanary();
    cookies = [];
    answer = (_request, response) => {
      const location = `https://127.0.0.1:${inside.port}/`;
      response.writeHead(302, { "set-cookie": "seen=1; Path=/; Domain=127.0.0.1", location }).end();
    };
    expect(await pages.fetchPage(`${origin}/story`)).toEqual({ kind: "unreachable", reason: "unreachable" });
    expect([inside.connections(), cookies.length]).toEqual([0, 1]);
    answer = (_request, response) =>
      void response.writeHead(302, { "set-cookie": `n=${cookies.length}; Path=/`, location: "/story" }).end();
    expect(await pages.fetchPage(`${origin}/story`)).toEqual({ kind: "unreachable", reason: "too_many_redirects" });
    expect(cookies.length).toBe(5);
    await inside.close();
  });
});
