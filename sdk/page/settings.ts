import type { ConsentSource } from "../prompt/consent.ts";
import { readJson } from "../wire.ts";
import { withReason } from "./failure.ts";
import { type Snippet, snippetFault } from "./snippet.ts";

/** What differs between two prompts: the rule for when it appears, and on which pages; and the texts. */
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
  /** Of all this. */
  version: string;
};

/** The site's settings from the service. `install`: the text for a reader who has to install the site first. */
export type Settings = {
  name: string;
  vapidPublicKey: string;
  topics: { topicId: string; name: string }[];
  prompt: PromptSide & {
    mode: "soft" | "off";
    /** Pages and visits are counted up to these. */
    untilPage: number;
    untilVisit: number;
    /** The two prompts of a comparison, of which the reader sees one. Null: there is none, or it is drawn. */
    compared: { since: string; prompts: [PromptSide, PromptSide] } | null;
    /** What the page waits for before it stores or asks anything. Null: nothing, or the reader has agreed. */
    consent: ConsentSource | null;
    repeatDays: number;
    /** Those that the prompt offers. */
    topics: { topicId: string; name: string }[];
  };
  /** The page on which readers choose. */
  preferencesUrl: string | null;
  /** What pages may say of a reader. */
  facts: { name: string; values: string[] }[];
  /** How the paths of workers end that are retired when a reader's subscription is migrated. Null: none is. */
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
