import { expect, test } from "vitest";
import { checkStory } from "../../src/decision/check-story.ts";
import { factsOf } from "./story-facts.ts";

const p = (
  count: number,
  text = "The council decided on the bridge after a long debate, and work begins in spring near the quay.",
) => `<p>${`${text} `.repeat(3)}</p>`.repeat(count);
const links = (count: number) =>
  Array.from({ length: count }, (_, n) => `<li><a href="/s${n}">A headline of another story ${n}</a></li>`).join("");
const teasers = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `<article><h2><a href="/2026/03/story-${n}">Headline of story number ${n}</a></h2><p>Short teaser of it that is not too long.</p><time datetime="2026-03-0${(n % 9) + 1}">x</time></article>`,
  ).join("");
const og = (type: string) => `<meta property="og:type" content="${type}">`;
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

const pages: [wanted: string, kind: string, path: string, html: string][] = [
  [
    "skip",
    "wp-articles-index",
    "/articles/",
    `<title>Articles - Lab</title>${og("article")}<h1>Articles</h1>${teasers(20)}${p(2)}`,
  ],
  ["skip", "blog index no og", "/blog/", `<title>Blog | Acme</title><h1>Blog</h1>${teasers(10)}${links(30)}`],
  [
    "skip",
    "news index og website with times",
    "/news",
    `<title>News | Acme</title>${og("website")}${teasers(12)}${links(10)}`,
  ],
  ["skip", "section es", "/deportes/", `<title>Deportes - El Diario</title>${og("website")}${teasers(15)}${links(60)}`],
  [
    "skip",
    "section deep",
    "/news/uk-politics",
    `<title>UK Politics | Post</title>${og("website")}${teasers(15)}${links(60)}`,
  ],
  ["skip", "section ja", "/category/social/", `<title>社会 | 新聞</title>${og("article")}${teasers(15)}${links(60)}`],
  [
    "skip",
    "section article og",
    "/sports/football",
    `<title>Football</title>${og("article")}${teasers(25)}${links(60)}`,
  ],
  [
    "skip",
    "soft404 og article",
    "/2026/03/gone",
    `<title>Oops! That page can’t be found. | The Post</title>${og("article")}<h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found at this location.</p>${links(50)}`,
  ],
  ["skip", "soft404 nothing found", "/x-y-z", `<title>Nothing found - Post</title>${og("website")}<p>Sorry</p>`],
  ["skip", "soft404 es", "/noticia/x", `<title>Error 404: página no encontrada</title><p>x</p>`],
  ["skip", "soft404 page not available", "/a/b", `<title>This page isn't available</title><p>x</p>`],
  ["skip", "soft404 fr", "/a/b", `<title>Page introuvable | Le Journal</title><p>x</p>`],
  ["skip", "410 h1", "/a/b", `<title>The Post</title><h1>404 - Page not found</h1><p>Sorry.</p>${links(30)}`],
  [
    "skip",
    "signin password",
    "/account",
    `<title>Welcome back | Post</title><form><input type=email><input type=password></form>`,
  ],
  ["skip", "subscribe wall", "/subscribe", `<title>Subscribe to The Post</title>${og("website")}${p(2)}`],
  ["skip", "search q", "/search?q=bridge", `<title>bridge - The Post</title>${links(30)}`],
  ["skip", "search title", "/find", `<title>Search results for "bridge" | Post</title>${links(30)}`],
  [
    "skip",
    "careers",
    "/careers/senior-editor",
    `<title>Senior Editor | Careers at Post</title>${og("website")}${p(4)}`,
  ],
  [
    "skip",
    "jobposting",
    "/jobs/123",
    `<title>Senior Editor</title>${ld({ "@type": "JobPosting", title: "Editor", datePosted: "2026-03-01" })}${p(4)}`,
  ],
  ["skip", "imprint it", "/note-legali", `<title>Note legali</title>${p(6)}`],
  ["skip", "privacy", "/legal/privacy-policy", `<title>Privacy Policy | Post</title>${og("website")}${p(20)}`],
  ["skip", "terms deep", "/info/terms-of-service.html", `<title>Terms of Service - Post</title>${p(20)}`],
  ["skip", "about de", "/ueber-uns", `<title>Über uns | Post</title>${og("article")}${p(6)}`],
  [
    "skip",
    "help article",
    "/hc/en-us/articles/360012-How-to-reset",
    `<title>How to reset – Help Center</title>${og("article")}${p(4)}`,
  ],
  ["skip", "docs", "/docs/guide/install", `<title>Install | Tool</title>${og("website")}${p(6)}`],
  ["skip", "docs en latest", "/en/latest/install.html", `<title>Install — Tool 1.2 documentation</title>${p(6)}`],
  [
    "skip",
    "product ld",
    "/p/mug",
    `<title>Mug</title>${ld({ "@type": "Product", name: "Mug", offers: { "@type": "Offer", price: 3 } })}${p(2)}`,
  ],
  ["skip", "product path", "/products/harbour-mug-large", `<title>Harbour mug – Shop</title>${og("product")}${p(2)}`],
  [
    "skip",
    "product add to cart",
    "/shop/harbour-mug",
    `<title>Harbour mug</title>${og("website")}<p>€12</p><button>Add to cart</button>${links(50)}`,
  ],
  ["skip", "profile", "/@jane", `<title>Jane (@jane)</title>${og("profile")}${teasers(5)}`],
  [
    "skip",
    "forum ld",
    "/t/which-boat/123",
    `<title>Which boat?</title>${ld({ "@type": "DiscussionForumPosting", headline: "Which boat?", datePublished: "2026-03-01" })}${p(5)}`,
  ],
  ["skip", "qa", "/questions/1/which-boat", `<title>Which boat?</title>${ld({ "@type": "QAPage" })}${p(5)}`],
  ["skip", "phpbb", "/viewtopic.php?t=3", `<title>View topic - Which boat</title>${p(3)}${links(60)}`],
  ["skip", "event calendar", "/events/", `<title>Events | Post</title>${og("website")}${links(50)}`],
  ["skip", "weather", "/weather", `<title>Weather | Post</title>${og("website")}${links(50)}`],
  [
    "send",
    "wp story",
    "/2026/03/02/bridge-vote-ends",
    `<title>Bridge vote ends - Post</title>${og("article")}<meta property="article:published_time" content="2026-03-02T10:00:00Z"><h1>Bridge vote ends</h1>${p(8)}${links(80)}`,
  ],
  [
    "send",
    "old blog no markup",
    "/bridge.html",
    `<title>Why I like the bridge</title><h1>Why I like the bridge</h1><p>2 March 2026</p>${p(8)}`,
  ],
  [
    "send",
    "old blog with og website",
    "/why-i-like-the-old-bridge",
    `<title>Why I like the old bridge</title>${og("website")}${p(8)}${links(50)}`,
  ],
  ["send", "blog numeric", "/archives/1234", `<title>Why I like the bridge</title>${p(8)}${links(50)}`],
  [
    "send",
    "press release",
    "/press-releases/acme-opens-plant-in-leeds",
    `<title>Acme opens plant in Leeds</title>${og("website")}<p>Leeds, March 2, 2026</p>${p(6)}${links(50)}`,
  ],
  [
    "send",
    "press release de",
    "/presse/pressemitteilungen/neues-werk-in-leeds-eroeffnet",
    `<title>Neues Werk in Leeds</title>${og("website")}${p(6)}${links(50)}`,
  ],
  [
    "send",
    "recipe",
    "/recipes/harbour-soup",
    `<title>Harbour soup</title>${ld({ "@type": "Recipe", name: "Harbour soup" })}${p(3)}${links(60)}`,
  ],
  [
    "send",
    "review product",
    "/reviews/harbour-mug-review",
    `<title>Harbour mug review</title>${og("article")}${ld([
      { "@type": "Review", itemReviewed: { "@type": "Product" } },
      { "@type": "Product", name: "Mug" },
    ])}${p(7)}`,
  ],
  [
    "send",
    "podcast episode",
    "/podcasts/the-bridge-episode-12",
    `<title>Episode 12: The bridge</title>${ld({ "@type": "PodcastEpisode", name: "Episode 12" })}${p(2)}${links(50)}`,
  ],
  [
    "send",
    "live",
    "/live/bridge-vote",
    `<title>Bridge vote live</title>${ld({ "@type": "LiveBlogPosting", headline: "Bridge vote live" })}${p(6)}${teasers(12)}${links(60)}`,
  ],
  [
    "send",
    "author in path",
    "/blog/author-of-the-bridge-dies",
    `<title>Author of the bridge dies</title>${og("article")}${p(6)}${links(60)}`,
  ],
  [
    "send",
    "story under people",
    "/people/jane-doe-wins-prize",
    `<title>Jane Doe wins prize</title>${og("article")}${p(6)}${links(60)}`,
  ],
  [
    "send",
    "faq article",
    "/news/what-you-need-to-know-about-the-vote",
    `<title>What you need to know</title>${og("article")}${ld([{ "@type": "FAQPage" }, { "@type": "NewsArticle", headline: "What you need to know" }])}${p(6)}`,
  ],
  [
    "send",
    "story about jobs",
    "/business/jobs/5000-jobs-to-go-at-the-harbour",
    `<title>5000 jobs to go at the harbour</title>${og("article")}${p(6)}`,
  ],
  [
    "send",
    "story about 404 not found title",
    "/tech/why-404-not-found-is-an-art",
    `<title>Why 404 Not Found is an art | Post</title>${og("article")}${p(6)}`,
  ],
  [
    "send",
    "video story",
    "/video/watch-the-bridge-fall",
    `<title>Watch the bridge fall</title>${og("video.other")}<p>Short.</p>${links(60)}`,
  ],
  [
    "send",
    "zh story",
    "/a/20260302/100234.html",
    `<title>大桥投票结束_新闻网</title>${p(4, "市议会经过长时间辩论后决定建造大桥，工程将于春季在码头附近开始。")}${links(80)}`,
  ],
  [
    "send",
    "ru story",
    "/novosti/most-budet-postroen-vesnoj",
    `<title>Мост будет построен весной</title>${p(6)}${links(80)}`,
  ],
  ["send", "ar story", "/news/2026/3/2/جسر-جديد", `<title>جسر جديد</title>${og("article")}${p(6)}${links(80)}`],
  ["send", "hi story in short slug", "/desh/pul-khula", `<title>पुल खुला</title>${og("article")}${p(6)}${links(80)}`],
  [
    "send",
    "topic wordpress category path",
    "/category/news/bridge-vote-ends-tonight-in-council",
    `<title>Bridge vote ends</title>${og("article")}<meta property="article:published_time" content="2026-03-02T10:00:00Z">${p(6)}${links(80)}`,
  ],
  [
    "send",
    "gallery",
    "/galleries/the-best-of-the-regatta",
    `<title>The best of the regatta</title>${og("article")}<p>12 pictures.</p>${links(60)}`,
  ],
];
test.each(pages)("the decision is %s for a page such as: %s", (wanted, _kind, path, html) => {
  const { decision, reasons } = checkStory(
    factsOf(html, `https://news.example.com${path}`),
    Date.parse("2026-03-02T12:00:00Z"),
  );
  const blocking = reasons.filter(({ effect }) => effect === "blocks").map(({ message }) => message);
  expect(decision, blocking.join(" ")).toBe(wanted);
});
