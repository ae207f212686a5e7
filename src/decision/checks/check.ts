import type { UnreachableReason } from "../../egress/page/exchange.ts";
import type { Range } from "../../holdouts/effect.ts";
import { type Message, type Said, said } from "../../messages.ts";
import type { ExpectedClicks } from "../expect-clicks.ts";
import type { Article } from "../page/article.ts";
import type { PageSignals } from "../page/page-signals.ts";
import type { SiteFacts } from "../site-facts.ts";

export type Effect = "blocks" | "lowers" | "raises" | "informs";

/** One reason of a decision. `code`: of the check. `message`: a sentence for an editor that says what to do. */
export type Reason = { code: string; effect: Effect } & Said;

/** Returns the reason of a check. `code`: of the check. */
export function reasonOf(code: string, { effect, message }: Pick<Finding, "effect" | "message">): Reason {
  return { code, effect, ...said(message) };
}

/**
 * Returns whether a reason says that the page did not answer with a story. The page may do so a moment later, because
 * a publisher's web servers can be behind its feed.
 */
export function isNoAnswer({ code }: Reason): boolean {
  return code === "unreachable" || code === "http_status";
}

/** The result of fetching the story's URL. */
export type Fetched =
  | { kind: "unreachable"; reason: UnreachableReason }
  | { kind: "page"; status: number; isHtml: boolean };

/** The input of every check, except for the time. */
export type StoryFacts = {
  fetched: Fetched;
  article: Article;
  /** Null unless an HTML page was read. */
  signals: PageSignals | null;
  /** The caller's own texts, which replace those of the article. `title`: null if the caller gives none. */
  given: { title: string | null; body: boolean; imageUrl: boolean };
  /** The age in hours above which a story is blocked. */
  freshnessHours: number;
  /** Null without a site: then no check looks at the audience. */
  site: SiteFacts | null;
  /** What the site's earlier notifications tell about the story. Null without a site, or if they tell nothing. */
  expected: ExpectedClicks | null;
  /**
   * The visits that notifications of the class win in a day of 1,000 readers, measured with readers who are left out.
   * Null without a site, for a correction, and before enough is counted.
   */
  visitsWon: Range | null;
  /** No editor sees the story before it is sent (feeds), so checks of the site block instead of lowering the score. */
  strict: boolean;
};

/** The result of a check. `weight`: the change of the score. */
export type Finding = { effect: Effect; message: Message; weight?: number };

/** One check of a story. docs/decision.md lists all checks, and a test keeps that page equal to the code. */
export type Check = {
  code: string;
  /** The effects that it can return. */
  effects: Effect[];
  /** The condition under which the check returns a finding, with its threshold. Used in docs/decision.md. */
  when: string;
  /** Returns null if the condition does not hold. `now`: ms since 1970. */
  find(facts: StoryFacts, now: number): Finding | null;
};

/** Returns the time zone in which an editor reads times: the site's, or else UTC. */
export function zoneOf({ site }: Pick<StoryFacts, "site">): string {
  return site?.timeZone ?? "UTC";
}
