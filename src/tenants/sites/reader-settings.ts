import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { oneOf, uuid, wholeNumber } from "../../input.ts";
import { type DeclaredFact, declaredFacts } from "./declared-facts.ts";
import { type OtherPrompt, otherPromptChange, type PromptSide } from "./other-prompt.ts";
import { type PromptLanguages, promptLanguagesChange, promptWordsChange, wordsFor } from "./prompt-languages.ts";
import { promptRuleChange } from "./prompt-rule.ts";

/** The soft prompt. The page asks with the site's own texts before the browser asks for its permission. */
export type Prompt = PromptSide & {
  /** `off`: the prompt is shown only if the page calls for it. */
  mode: "soft" | "off";
  /**
   * The source of the reader's consent, which is needed before anything is stored or asked: a consent platform (TCF),
   * Google's consent mode, or a function of the page.
   */
  consent: "off" | "tcf" | "google" | "page";
  /** How many days the prompt stays away after "later". */
  repeatDays: number;
  /** The topics that readers can tick in the prompt, in their order. If empty, the prompt offers no choice. */
  topicIds: string[];
  /** The texts for pages in other languages. */
  languages: PromptLanguages;
  /** The second prompt of a comparison, which half of the readers see instead. Null if there is none. */
  other: OtherPrompt | null;
  /** When the comparison began, or when one of the two prompts last changed. */
  comparedSince: string | null;
};

/** The query parameters that are added to a story's address for the site's own analytics. */
export type Utm = { source: string | null; medium: string | null; campaign: string | null };

/**
 * The receipts that browsers send for notifications. `full`: each message counts once, and clicks show which reader
 * was seen. `aggregate`: all readers of a run report the same bytes, and the service only adds up. `off`: none.
 */
export type ReceiptMode = "full" | "aggregate" | "off";

/**
 * How a notification leads to its article. `token`: with a token in the article's own address. `redirect`: through
 * this service.
 */
export type LinkMode = "token" | "redirect";

/**
 * The settings for the migration of readers from another push service. `workers`: paths of its worker files, besides
 * the known ones. `formerReaders`: how many readers it had.
 */
export type MigrateSubscriptions = { workers: string[]; formerReaders: number | null };

/**
 * The worker files of other push services. They do nothing but push. Other workers of a site may do more, and are
 * never ended.
 */
const knownWorkers = [
  "OneSignalSDKWorker.js",
  "OneSignalSDKUpdaterWorker.js",
  "webpushr-sw.js",
  "cleverpush-worker.js",
  "pushwoosh-service-worker.js",
];

/** Returns the path endings of the workers that are retired once their subscription is migrated. */
export function formerWorkersOf({ workers }: MigrateSubscriptions): string[] {
  return [...knownWorkers.map((name) => `/${name}`), ...workers];
}

/** The settings of a site for its readers' browsers. */
export type ReaderSettings = {
  /** Web origins whose pages may subscribe readers, besides the origin of the site's `url`. */
  origins: string[];
  iconUrl: string | null;
  utm: Utm;
  /** The fields that the site sets. `promptOf` adds the defaults. */
  prompt: Partial<Prompt>;
  linkMode: LinkMode;
  receipts: ReceiptMode;
  /** A subscription expires if no browser confirms it for this many months. Null if it never expires. */
  dormantMonths: number | null;
  /**
   * For how many days the choices of a reader who has left are kept, in case they come back. Null if they are not
   * kept.
   */
  returnDays: number | null;
  /** Settings for subscribing the readers of another push service who have granted permission. Null if that is off. */
  migrateSubscriptions: MigrateSubscriptions | null;
  /** The page of the site on which readers choose topics and times. Null if there is none. */
  preferencesUrl: string | null;
  /** The facts that the site's pages may state about a reader. */
  facts: DeclaredFact[];
};

/** Returns the settings for readers of a site, without its other fields. */
export function readerSettingsOf({
  origins,
  iconUrl,
  utm,
  prompt,
  linkMode,
  receipts,
  dormantMonths,
  returnDays,
  preferencesUrl,
  facts,
  migrateSubscriptions,
}: ReaderSettings): ReaderSettings {
  return {
    origins,
    iconUrl,
    utm,
    prompt,
    linkMode,
    receipts,
    dormantMonths,
    returnDays,
    preferencesUrl,
    facts,
    migrateSubscriptions,
  };
}

const defaultPrompt: Prompt = {
  mode: "soft",
  consent: "off",
  // A reader who has read nothing yet has no reason to say yes.
  fromPage: 2,
  fromVisit: 1,
  delaySeconds: 5,
  scrollPercent: 0,
  onlyPaths: [],
  neverPaths: [],
  title: "Breaking news as it happens?",
  body: "We can notify you when something important is published. You can turn this off at any time.",
  accept: "Yes, please",
  later: "Not now",
  repeatDays: 30,
  install:
    "To be notified on this device, tap Share (on iOS 26 first “…”), then “Add to Home Screen”, and open the site from there.",
  choose: "Choose topics and times",
  topicIds: [],
  topicsLabel: "Also notify me about",
  allTopics: "All of these",
  languages: {},
  other: null,
  comparedSince: null,
};

/**
 * Returns the prompt of a site, with the default of every field that `set` does not have. Uses the texts for pages in
 * `language` if there are any.
 */
export function promptOf(set: Partial<Prompt>, language = ""): Prompt {
  const prompt = { ...defaultPrompt, ...set };
  return { ...prompt, ...wordsFor(prompt.languages, language) };
}

/**
 * Returns the prompt that half of a site's readers see instead of `promptOf`; null if there is none. In a language
 * that only the site's own prompt has, it uses the own prompt's texts, so that a page never falls back to another
 * language.
 */
export function otherPromptOf(set: Partial<Prompt>, language = ""): Prompt | null {
  if (!set.other) return null;
  const { languages = {}, ...itself } = set.other;
  const prompt = { ...defaultPrompt, ...set, ...itself };
  return { ...prompt, ...wordsFor(prompt.languages, language), ...wordsFor(languages, language) };
}

/** Returns whether the other prompt has the same texts and the same rule as the site's own. */
export function isOtherTheSame(set: Partial<Prompt>): boolean {
  const languages = Object.keys({ ...set.languages, ...set.other?.languages });
  const written = (prompt: Prompt | null) => JSON.stringify({ ...prompt, other: null, languages: null });
  return ["", ...languages].every((one) => written(promptOf(set, one)) === written(otherPromptOf(set, one)));
}

export type Topic = { topicId: string; name: string };

/** Returns the topics that a prompt offers. `topics`: the topics of its site that readers can choose. */
export function offeredTopics({ topicIds }: Prompt, topics: Topic[]): Topic[] {
  return topicIds.flatMap((id) => topics.find(({ topicId }) => topicId === id) ?? []);
}

/** Returns the origins whose pages may act for the site's readers: the origin of its `url`, and its `origins`. */
export function originsOf(site: { url: string; origins: string[] }): string[] {
  return [new URL(site.url).origin, ...site.origins];
}

/** The most origins of a site, besides the origin of its URL. */
export const maxOrigins = 20;
/** The most topics that a prompt offers. */
export const maxPromptTopics = 8;
/** The most worker files of another push service that a site can name. */
export const maxFormerWorkers = 10;

/**
 * The values allow only characters that need no percent-encoding, which would triple their length in a small push
 * message.
 */
const utmValue = z.string().regex(/^[\w.~-]{1,64}$/, zodText(faults.not_utm()));

const origin = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  context.addIssue({
    code: "custom",
    message: zodText(faults.not_an_origin({ example: "https://m.news.example", wrong: text.slice(0, 80) })),
  });
  return z.NEVER;
});

/** A change of the prompt. An absent field stays as it is. Null sets the default. */
const promptChange = z.strictObject({
  mode: oneOf(["soft", "off"]).nullish(),
  consent: oneOf(["off", "tcf", "google", "page"]).nullish(),
  ...promptRuleChange,
  ...promptWordsChange,
  languages: promptLanguagesChange.nullish(),
  other: otherPromptChange,
  repeatDays: wholeNumber(1, 365).nullish(),
  topicIds: z
    .array(uuid, zodText(faults.wrong_type({ type: "a list of topic ids" })))
    .max(maxPromptTopics, zodText(faults.too_many_offered_topics({ most: maxPromptTopics })))
    .transform((all) => [...new Set(all)])
    .nullish(),
});

/** The changeable reader settings, for `siteChange`. An absent field stays as it is. Null removes a setting. */
export const readerSettingsChange = {
  origins: z
    .array(origin)
    .max(maxOrigins, zodText(faults.too_large({ most: maxOrigins })))
    .transform((all) => [...new Set(all)])
    .optional(),
  iconUrl: z
    .url({ protocol: /^https$/, error: zodText(faults.not_https()) })
    .max(1_024, zodText(faults.too_long({ most: 1_024 })))
    .nullish(),
  utm: z
    .strictObject({ source: utmValue.nullish(), medium: utmValue.nullish(), campaign: utmValue.nullish() })
    .optional(),
  prompt: promptChange.optional(),
  linkMode: oneOf(["token", "redirect"]).optional(),
  receipts: oneOf(["full", "aggregate", "off"]).optional(),
  dormantMonths: wholeNumber(1, 120).nullish(),
  returnDays: wholeNumber(1, 365).nullish(),
  migrateSubscriptions: z
    .strictObject({
      workers: z
        .array(z.string().regex(/^\/[\w./-]{1,200}$/, zodText(faults.not_worker_paths())))
        .max(maxFormerWorkers, zodText(faults.too_large({ most: maxFormerWorkers })))
        .default([]),
      formerReaders: wholeNumber(0, 1_000_000_000).nullable().default(null),
    })
    .nullish(),
  facts: declaredFacts.optional(),
  preferencesUrl: z
    .url({ protocol: /^https?$/, error: zodText(faults.not_http()) })
    .max(1_024, zodText(faults.too_long({ most: 1_024 })))
    .nullish(),
};
