import { describe, expect, test } from "vitest";
import { checkStory } from "../../src/decision/check-story.ts";
import { factsOf } from "./story-facts.ts";

const site = "https://news.example.com";
const sentence = "The council has decided to build a second bridge over the river, and work begins in the spring. ";
const prose = `<p>${sentence.repeat(12)}</p>`;
const links = '<li><a href="/a">The council has decided to build a second bridge over the river</a></li>'.repeat(60);
const article = '<meta property="og:type" content="article">';
const website = '<meta property="og:type" content="website">';
const linked = '<script type="application/ld+json">{"@type":"NewsArticle","headline":"A bridge"}</script>';
const date = '<meta property="article:published_time" content="2026-03-02T10:00:00Z">';
const title = "<title>A second bridge for the city</title>";

const kindOf = (html: string, path: string, origin = site) =>
  factsOf(`${html} `, origin + path).signals?.notStory ?? null;

describe("a page that is no story", () => {
  test.each([
    ["a root address, whatever it says of itself", title + article + linked + date + prose, "/", "home_page"],
    ["a root address with index.html", title + prose, "/index.html", "home_page"],
    ["an entry of a wiki that is called an article", title + linked + prose, "/wiki/Bridge", "help_page"],
    [
      "what a documentation program wrote",
      `${title}<meta name=generator content="Sphinx 7">${article}${prose}`,
      "/bridge",
      "help_page",
    ],
    ["a profile with a date", `${title}<meta property="og:type" content="profile">${date}`, "/river", "profile_page"],
    ["an album", `${title}<meta property="og:type" content="music.album">`, "/river", "work_page"],
    ["a sign-in address in Portuguese", title, "/conta/entrar", "sign_in_page"],
    ["a password and little else", `${title}<input type="password">`, "/welcome", "sign_in_page"],
    ["a sign-in title in Polish", "<title>Zaloguj się | Kurier</title>", "/konto", "sign_in_page"],
    ["a search in Turkish", title, "/arama", "search_page"],
    ["a missing page in Russian", "<title>Страница не найдена</title>", "/most", "error_page"],
    ["a missing page that has a date", `<title>Page not found</title>${date}`, "/bridge", "error_page"],
    ["an imprint that is called an article", title + article + prose, "/impressum", "about_page"],
    ["vacancies", title + prose, "/de/karriere", "jobs_page"],
    [
      "a list of entries that is called an article",
      title + article + "<article></article>".repeat(20) + links,
      "/river",
      "list_page",
    ],
    ["mostly links", title + links, "/river", "list_page"],
    ["a section whose teasers are text", title + links + prose, "/rubrik/politik", "section_page"],
    ["a page of a site without a date", title + website + prose + links, "/river", "website_page"],
  ])("is found: %s", (_name, html, path, kind) => expect(kindOf(html, path)).toEqual(kind));

  test("is found by the name of its host", () => {
    expect(kindOf(title + prose, "/bridge-2", "https://docs.example.com")).toBe("help_page");
  });
});

describe("a story", () => {
  test.each([
    ["at the root with a number in the query", title + article + prose, "/?p=123"],
    ["with nothing but text", title + prose, "/story"],
    ["with nothing but a title", title, "/story"],
    ["with text and many links, and no date", title + prose + links, "/a-second-bridge-for-the-city"],
    ["that its site calls a website, with a date", title + website + date + prose + links, "/bridge"],
    [
      "that its site calls a website, with a long name",
      title + website + prose + links,
      "/a-second-bridge-for-the-city",
    ],
    ["about a search, called an article", `<title>Search for a diver goes on</title>${article}`, "/diver"],
    [
      "whose headline is the name of a film",
      `<title>Contact – a film returns</title>${article}${prose}`,
      "/contact-film",
    ],
    ["in a folder of a tag, with a long name", title + article + prose, "/tag/a-second-bridge-for-the-city"],
    ["in an author's folder", title + linked + prose, "/autoren/kim/a-second-bridge"],
    ["with a password form for subscribers", `${title}<input type="password">${prose}`, "/story"],
    ["in a list of others", title + article + date + prose + "<article></article>".repeat(20) + links, "/bridge"],
  ])("is sent: %s", (_name, html, path) => expect(kindOf(html, path)).toBeNull());
});

test("noindex for Google News alone informs, and noindex for everybody beside it blocks", () => {
  const effectOf = (html: string) =>
    checkStory(factsOf(title + html), Date.parse("2026-03-02T12:00:00Z")).reasons.find(({ code }) => code === "noindex")
      ?.effect;
  const news = '<meta name="googlebot-news" content="noindex">';
  expect(effectOf(news)).toBe("informs");
  expect(effectOf(`${news}<meta name="robots" content="noindex">`)).toBe("blocks");
});

test("microdata of a product with an offer is a product, and a review of one is not", () => {
  const product = '<div itemtype="https://schema.org/Product">';
  const offer = '<div itemtype="https://schema.org/Offer">';
  const review = '<div itemtype="https://schema.org/NewsArticle">';
  const isProduct = (html: string) => factsOf(title + html).signals?.isProduct;
  expect([isProduct(product + offer), isProduct(product), isProduct(review + product + offer)]).toEqual([
    true,
    false,
    false,
  ]);
});
