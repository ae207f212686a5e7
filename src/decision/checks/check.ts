import type { UnreachableReason } from "../../egress/page/exchange.ts";
import type { Range } from "../../holdouts/effect.ts";
import type { ExpectedClicks } from "../expect-clicks.ts";
import type { Article } from "../page/article.ts";
import type { PageSignals } from "../page/page-signals.ts";
import type { SiteFacts } from "../site-facts.ts";

export type Effect = "blocks" | "lowers" | "raises" | "informs";

/** One reason of a decision. `message`: a sentence for an editor that says what to do. */
export type Reason = { code: string; effect: Effect; message: string };

/**
 * Whether a reason is that the page did not answer with a story. It may do so a moment later: a publisher's web servers
 * can be behind its feed.
 */
export function isNoAnswer({ code }: Reason): boolean {
  return code === "unreachable" || code === "http_status";
}

/** The result of fetching the story's URL. */
export type Fetched =
  | { kind: "unreachable"; reason: UnreachableReason }
  | { kind: "page"; status: number; isHtml: boolean };

/** The input of every check, besides the time. */
export type StoryFacts = {
  fetched: Fetched;
  article: Article;
  /** Null unless an HTML page was read. */
  signals: PageSignals | null;
  /** What the caller has written itself; then the article needs none. `title`: null if the caller gives none. */
  given: { title: string | null; body: boolean; imageUrl: boolean };
  /** Older stories are blocked. In hours. */
  freshnessHours: number;
  /** Null without a site: then no check looks at the audience. */
  site: SiteFacts | null;
  /** What the site's earlier notifications say of the story. Null without a site, or where they say nothing. */
  expected: ExpectedClicks | null;
  /**
   * The visits that notifications of the class win, in a day of 1,000 readers, measured with readers left out. Null
   * without a site, for a correction, and before enough is counted.
   */
  visitsWon: Range | null;
  /** No editor sees the story before it is sent (feeds): checks of the site block where they would lower the score. */
  strict: boolean;
};

/** The result of a check. `weight`: what it adds to the score. */
export type Finding = { effect: Effect; message: string; weight?: number };

/** One check of a story. docs/decision.md lists all checks; a test keeps the page equal to the code. */
export type Check = {
  code: string;
  /** The effects that it can return. */
  effects: Effect[];
  /** The condition under which it returns a finding, with its threshold; for docs/decision.md. */
  when: string;
  /** Returns null if the condition does not hold. `now`: ms since 1970. */
  find(facts: StoryFacts, now: number): Finding | null;
};

/** The time zone in which an editor reads times: the site's, else UTC. */
export function zoneOf({ site }: Pick<StoryFacts, "site">): string {
  return site?.timeZone ?? "UTC";
}
