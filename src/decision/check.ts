import type { UnreachableReason } from "../egress/page/exchange.ts";
import type { Article } from "./article.ts";
import type { PageSigns } from "./page-signs.ts";
import type { SiteFacts } from "./site-facts.ts";

export type Effect = "blocks" | "lowers" | "raises" | "informs";

/** Why a verdict is as it is. `message` is for an editor and says what to do. */
export type Reason = { code: string; effect: Effect; message: string };

/** What came back for the story's URL. */
export type Fetched =
  | { kind: "unreachable"; reason: UnreachableReason }
  | { kind: "page"; status: number; isHtml: boolean };

/** All that a verdict rests on, besides the time. */
export type StoryFacts = {
  fetched: Fetched;
  article: Article;
  /** Null unless an HTML page was read. */
  signs: PageSigns | null;
  /** What the caller gives, so that the article's own is not missed. `title`: null when none is given. */
  given: { title: string | null; body: boolean; imageUrl: boolean };
  /** An older story is blocked. In hours. */
  freshnessHours: number;
  /** Null without a site: then nothing is said of its audience. */
  site: SiteFacts | null;
  /** Nobody looks at this story before it goes out (feeds): what else lowers blocks. */
  strict: boolean;
};

/** What a check has to say. `weight`: how far it moves the score. */
export type Finding = { effect: Effect; message: string; weight?: number };

/** One question about a story. docs/decision.md lists them all; a test keeps the two equal. */
export type Check = {
  code: string;
  /** The effects that it can have. */
  effects: Effect[];
  /** When it has something to say, with its threshold. */
  when: string;
  /** Null: nothing to say. `now`: ms since 1970. */
  judge(facts: StoryFacts, now: number): Finding | null;
};
