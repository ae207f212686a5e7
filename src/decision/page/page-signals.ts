import type { Message } from "../../messages.ts";
import { firstDate, isoOf } from "../../reading/dates/read-date.ts";
import { decisionMessages as messages } from "../messages.ts";
import { articleNodes, datesIn, hasType, type JsonLdNode, textsIn } from "./json-ld.ts";
import type { NotStory } from "./kind-words.ts";
import type { PageBody } from "./page-body.ts";
import { nonStoryKind } from "./page-kind.ts";
import type { PageMetadata } from "./page-metadata.ts";
import type { Publication } from "./publication.ts";

/** What the page shows in addition to the article. Only the checks use it. */
export type PageSignals = {
  /** False if the date of publication has no time or no offset. It may then be wrong by a day. */
  publishedExactly: boolean;
  /** The page shows dates. It does not matter whether one can be read as its date of publication. */
  showsDate: boolean;
  /** The last change that the page declares. ISO-8601, UTC. */
  modifiedAt: string | null;
  /** The page declares that it is an article. */
  isArticle: boolean;
  notStory: NotStory | null;
  /** The page declares that it is a product, and does not declare that it is an article. */
  isProduct: boolean;
  /** Robots directives for all robots or for Google, from the markup and X-Robots-Tag, in lower case. */
  robots: string[];
  /** Robots directives for Google News alone, from the same places. */
  newsRobots: string[];
  /** The evidence that the page is paid content, as a clause: "its section is Sponsored". */
  paidBy: Message | null;
  /** The page has links with rel=sponsored. */
  hasSponsoredLinks: boolean;
  isPaywalled: boolean;
  /** The page is a live blog. `endsAt`: when its coverage ends, or null. */
  live: { endsAt: string | null } | null;
  isAmp: boolean;
};

export type SignalFacts = {
  url: string;
  canonicalUrl: string | null;
  title: string | null;
  /** Lower case. */
  ogType: string | null;
  metadata: PageMetadata;
  body: PageBody;
  nodes: JsonLdNode[];
  /** The node that describes the story. */
  node: JsonLdNode | null;
  /** The dates of publication as written. It does not matter whether they can be read. */
  dates: string[];
  published: Publication | null;
  /** The zone of dates that have none. */
  timeZone: string;
  robotsHeader: string | null;
};

export function readSignals(facts: SignalFacts): PageSignals {
  const { metadata, body, nodes, node, ogType, published } = facts;
  const meta = (...names: string[]): string[] => names.flatMap((name) => metadata.metas.get(name) ?? []);
  const isArticle = node !== null || ogType === "article";
  const modified = firstDate([
    ...datesIn(node?.value.dateModified),
    ...meta("article:modified_time", "og:updated_time", "last-modified", "datemodified"),
  ]);
  return {
    publishedExactly: published?.isExact ?? false,
    showsDate: facts.dates.length > 0 || published !== null || modified !== null || body.showsDate,
    modifiedAt: isoOf(modified, facts.timeZone),
    isArticle,
    notStory: nonStoryKind({
      url: facts.url,
      title: facts.title,
      ogType,
      hasDate: published?.isDeclared ?? false,
      body,
      generator: meta("generator")[0]?.trim() ?? "",
      linkedTypes: nodes.flatMap(({ types }) => types),
      hasStory: node !== null,
      hasOtherStories: node === null && articleNodes(nodes).length > 1,
    }),
    isProduct: !isArticle && (/^(og:)?product/.test(ogType ?? "") || hasType(nodes, "Product") || sellsItem(body)),
    robots: [
      ...meta("robots", "googlebot").flatMap(commaList),
      ...robotsOfHeader(facts.robotsHeader, /^(robots|googlebot)$/),
    ],
    newsRobots: [
      ...meta("googlebot-news").flatMap(commaList),
      ...robotsOfHeader(facts.robotsHeader, /^googlebot-news$/),
    ],
    paidBy: paidEvidence(facts),
    hasSponsoredLinks: metadata.sponsoredLinks > 0,
    isPaywalled:
      node?.value.isAccessibleForFree === false ||
      textsIn(node?.value.isAccessibleForFree).some((text) => /^(false|no)$/i.test(text)) ||
      meta("article:content_tier", "og:article:content_tier").some((tier) => /^\s*(locked|metered)\s*$/i.test(tier)),
    live: node?.types.includes("LiveBlogPosting")
      ? { endsAt: isoOf(firstDate(datesIn(node.value.coverageEndTime)), facts.timeZone) }
      : null,
    isAmp: metadata.isAmp,
  };
}

/** Returns whether the page's microdata has a product with an offer. A review names a product without one. */
function sellsItem({ itemTypes }: PageBody): boolean {
  const isArticle = [...itemTypes].some((type) => /^(\w*Article|BlogPosting|Recipe)$/.test(type));
  return itemTypes.has("Product") && itemTypes.has("Offer") && !isArticle;
}

/** Labels of paid content. They count as a section or a folder of the address. In a headline they may be news. */
const paidWords =
  /^(sponsored|sponsored[ -](content|post|story|stories|article)|advertorials?|anzeigen?|paid[ -](content|post|partnership|partner-content)|partner[ -]content|branded?[ -](content|studio)|brandvoice|native[ -]advertising|publireporta(ge|je)s?|publi-?r[eé]dactionnel|contenu[ -]sponsoris[eé]|contenido[ -]patrocinado|contenuto[ -]sponsorizzato|advertentie|タイアップ(記事)?|記事広告|реклама)$/iu;

function paidEvidence({ url, canonicalUrl, metadata, nodes, node, ogType }: SignalFacts): Message | null {
  const meta = (...names: string[]): string[] => names.flatMap((name) => metadata.metas.get(name) ?? []);
  if (hasType(nodes, "AdvertiserContentArticle")) return messages.paid_type();
  const sections = [
    ...meta("article:section", "og:section", "section", "parsely-section"),
    ...textsIn(node?.value.articleSection),
  ];
  const section = sections.map((text) => text.trim()).find((text) => paidWords.test(text));
  if (section !== undefined) return messages.paid_section({ section });
  const marked = meta("sponsored", "article:sponsored", "og:sponsored", "is_sponsored", "issponsored", "advertorial");
  if (marked.some((text) => /^\s*(true|yes|1|sponsored|advertorial)\s*$/i.test(text)) || paidWords.test(ogType ?? "")) {
    return messages.paid_mark();
  }
  const folder = [url, canonicalUrl ?? url].flatMap(foldersOf).find((part) => paidWords.test(part));
  return folder === undefined ? null : messages.paid_folder({ folder });
}

/**
 * Returns the folders of the path. Leaves out the last part, because a story about advertising may have the word
 * there.
 */
function foldersOf(address: string): string[] {
  return (
    URL.parse(address)
      ?.pathname.split("/")
      .slice(1, -1)
      .map((part) => part.slice(0, 64)) ?? []
  );
}

function commaList(text: string): string[] {
  return text
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Returns the directives of X-Robots-Tag that apply to `ourRobots`. A line may name a robot ("otherbot: noindex"). The
 * name applies to all directives up to the next name in that line.
 */
function robotsOfHeader(header: string | null, ourRobots: RegExp): string[] {
  return (header ?? "").split("\n").flatMap((line) => {
    let applies = true;
    return commaList(line).flatMap((part) => {
      const [, agent, directive] = /^([\w-]+)\s*:\s*(.*)$/.exec(part) ?? [];
      const isNamed = agent !== undefined && !/^(unavailable_after|max-.*)$/.test(agent);
      if (isNamed) applies = ourRobots.test(agent);
      return applies ? [isNamed ? (directive ?? "") : part] : [];
    });
  });
}
