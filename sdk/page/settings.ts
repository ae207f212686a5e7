import type { ConsentSource } from "../prompt/consent.ts";
import { readJson } from "../wire.ts";
import { withReason } from "./failure.ts";
import { type Snippet, snippetFault } from "./snippet.ts";

/**
 * The parts in which two prompts can differ: the rule for when and on which pages the prompt appears, and its texts.
 */
type PromptSide = {
  fromPage: number;
  fromVisit: number;
  delaySeconds: number;
  scrollPercent: number;
  onlyPaths: string[];
  neverPaths: string[];
  title: string;
  body: string;
  accept: string;
  later: string;
  install: string;
  choose: string;
  topicsLabel: string;
  allTopics: string;
  /** The version of all these parts. */
  version: string;
};

/** The site's settings from the service. `install`: the text for a reader who has to install the site first. */
export type Settings = {
  name: string;
  vapidPublicKey: string;
  topics: { topicId: string; name: string }[];
  prompt: PromptSide & {
    mode: "soft" | "off";
    /** Pages are counted up to `untilPage`, and visits up to `untilVisit`. */
    untilPage: number;
    untilVisit: number;
    /**
     * The two prompts of a comparison. The reader sees one of them. Null without a comparison, and once one of the
     * two was drawn.
     */
    compared: { since: string; prompts: [PromptSide, PromptSide] } | null;
    /**
     * What the page waits for before it stores or asks anything. Null if the site does not wait, or the reader has
     * agreed.
     */
    consent: ConsentSource | null;
    repeatDays: number;
    /** The topics that the prompt offers. */
    topics: { topicId: string; name: string }[];
  };
  /** The page on which readers choose their preferences. Null if the site has none. */
  preferencesUrl: string | null;
  /** The facts that pages may tell about a reader. */
  facts: { name: string; values: string[] }[];
  /** The path endings of workers that are retired when their readers are migrated. Null if no readers are migrated. */
  formerWorkers: string[] | null;
};

/**
 * Creates a function that reads the site's settings once, on its first call. After a failure the next call tries again.
 */
export function createSettingsReader({ base, siteId, tenantId }: Snippet): () => Promise<Settings> {
  let read: Promise<Settings> | undefined;
  return () => {
    const url = `${base}/sdk/sites/${siteId}/config?tenant=${tenantId}&lang=${document.documentElement.lang}`;
    read ??= withReason("settings", siteId && tenantId ? readJson(url) : Promise.reject(snippetFault));
    read.catch(() => {
      read = undefined;
    });
    return read;
  };
}
