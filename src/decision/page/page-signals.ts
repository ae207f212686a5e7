import { firstDate, type PageDate } from "./dates.ts";
import { articleNodes, hasType, type JsonLdNode, textsIn } from "./json-ld.ts";
import { type NotStory, nonStoryKind } from "./page-kind.ts";
import type { PageMetadata } from "./page-metadata.ts";

/** What the page shows beside the article, for the judge alone. */
export type PageSignals = {
  /** False when the page gives a date without a time or an offset: up to a day of doubt. */
  publishedExactly: boolean;
  /** When the page says that it was last changed. ISO-8601, UTC. */
  modifiedAt: string | null;
  /** The page says in so many words that it is an article. */
  isArticle: boolean;
  notStory: NotStory | null;
  /** The page says that it sells something, and that it is no article. */
  isProduct: boolean;
  /** Robots directives for everybody or for Google from the markup and X-Robots-Tag, lower case. */
  robots: string[];
  /** By what the page shows that somebody paid for it, in a clause. */
  paidBy: string | null;
  /** Some of its links are marked as paid. */
  hasSponsoredLinks: boolean;
  isPaywalled: boolean;
  /** A live blog that the page does not call ended: `endsAt` is when its coverage ends. */
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
  nodes: JsonLdNode[];
  /** The node that was taken for the story. */
  node: JsonLdNode | null;
  published: PageDate | null;
  robotsHeader: string | null;
};

export function readSignals(facts: SignalFacts): PageSignals {
  const { metadata, nodes, node, ogType, published } = facts;
  const meta = (...names: string[]): string[] => names.flatMap((name) => metadata.metas.get(name) ?? []);
  const isArticle = node !== null || ogType === "article";
  const modified = firstDate([
    ...textsIn(node?.value.dateModified),
    ...meta("article:modified_time", "og:updated_time", "last-modified", "datemodified"),
  ]);
  return {
    publishedExactly: published?.exact ?? false,
    modifiedAt: modified?.at ?? null,
    isArticle,
    notStory: nonStoryKind({
      ...{ url: facts.url, title: facts.title, ogType, hasDate: published !== null },
      linkedTypes: nodes.flatMap(({ types }) => types),
      hasStory: node !== null,
      hasOtherStories: node === null && articleNodes(nodes).length > 1,
    }),
    isProduct: !isArticle && (/^(og:)?product/.test(ogType ?? "") || hasType(nodes, "Product")),
    robots: [
      ...meta("robots", "googlebot", "googlebot-news").flatMap(commaList),
      ...robotsOfHeader(facts.robotsHeader),
    ],
    paidBy: paymentSign(facts),
    hasSponsoredLinks: metadata.sponsoredLinks > 0,
    isPaywalled:
      node?.value.isAccessibleForFree === false ||
      textsIn(node?.value.isAccessibleForFree).some((text) => /^(false|no)$/i.test(text)) ||
      meta("article:content_tier", "og:article:content_tier").some((tier) => /^\s*(locked|metered)\s*$/i.test(tier)),
    live: node?.types.includes("LiveBlogPosting")
      ? { endsAt: firstDate(textsIn(node.value.coverageEndTime))?.at ?? null }
      : null,
    isAmp: metadata.isAmp,
  };
}

/** Words that publishers put over paid stories and nowhere else. As a folder or a section; in a headline they are news. */
const paidWords =
  /^(sponsored|sponsored[ -](content|post|story|stories|article)|advertorials?|anzeigen?|paid[ -](content|post|partnership|partner-content)|partner[ -]content|branded?[ -](content|studio)|brandvoice|native[ -]advertising|publireporta(ge|je)s?|publi-?r[eé]dactionnel|contenu[ -]sponsoris[eé]|contenido[ -]patrocinado|contenuto[ -]sponsorizzato|advertentie|タイアップ(記事)?|記事広告|реклама)$/iu;

function paymentSign({ url, canonicalUrl, metadata, nodes, node, ogType }: SignalFacts): string | null {
  const meta = (...names: string[]): string[] => names.flatMap((name) => metadata.metas.get(name) ?? []);
  if (hasType(nodes, "AdvertiserContentArticle")) return "its type is AdvertiserContentArticle";
  const sections = [
    ...meta("article:section", "og:section", "section", "parsely-section"),
    ...textsIn(node?.value.articleSection),
  ];
  const section = sections.map((text) => text.trim()).find((text) => paidWords.test(text));
  if (section !== undefined) return `its section is ${section}`;
  const marked = meta("sponsored", "article:sponsored", "og:sponsored", "is_sponsored", "issponsored", "advertorial");
  if (marked.some((text) => /^\s*(true|yes|1|sponsored|advertorial)\s*$/i.test(text)) || paidWords.test(ogType ?? "")) {
    return "it is marked as sponsored";
  }
  const folder = [url, canonicalUrl ?? url].flatMap(foldersOf).find((part) => paidWords.test(part));
  return folder === undefined ? null : `its address lies in /${folder}/`;
}

/** The parts of the path but the last: a story about an advertisement may well have the word in its own name. */
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

/** Each header may begin with whom it is for ("otherbot: noindex"); that holds until the next name in it. */
function robotsOfHeader(header: string | null): string[] {
  const forUs = /^(robots|googlebot|googlebot-news)$/;
  return (header ?? "").split("\n").flatMap((line) => {
    let applies = true;
    return commaList(line).flatMap((part) => {
      const [, agent, directive] = /^([\w-]+)\s*:\s*(.*)$/.exec(part) ?? [];
      const isNamed = agent !== undefined && !/^(unavailable_after|max-.*)$/.test(agent);
      if (isNamed) applies = forUs.test(agent);
      return applies ? [isNamed ? (directive ?? "") : part] : [];
    });
  });
}
