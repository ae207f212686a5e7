import type { DeclaredFact } from "../tenants/sites/declared-facts.ts";
import type { OtherPrompt } from "../tenants/sites/other-prompt.ts";
import type { PromptLanguages } from "../tenants/sites/prompt-languages.ts";
import type { ReaderSettings } from "../tenants/sites/reader-settings.ts";
import type { SiteChange } from "../tenants/sites/site.ts";
import { UsageError, type Values } from "./command.ts";

const text = { type: "string" } as const;

/** The options of `site set` about what readers' browsers show and may do. */
export const readerOptions = {
  origins: text,
  icon: text,
  "link-mode": text,
  "dormant-months": text,
  "return-days": text,
  "preferences-url": text,
  facts: text,
  "migrate-subscriptions": text,
  receipts: text,
  "utm-source": text,
  "utm-medium": text,
  "utm-campaign": text,
  "prompt-mode": text,
  "prompt-delay-seconds": text,
  "prompt-repeat-days": text,
  "prompt-install": text,
  "prompt-from-page": text,
  "prompt-from-visit": text,
  "prompt-scroll-percent": text,
  "prompt-consent": text,
  "prompt-only-paths": text,
  "prompt-never-paths": text,
  "prompt-topics": text,
  "prompt-topics-label": text,
  "prompt-all-topics": text,
  "prompt-languages": text,
  "prompt-other": text,
  "prompt-title": text,
  "prompt-body": text,
  "prompt-accept": text,
  "prompt-later": text,
  "prompt-choose": text,
};

export const readerUsage =
  "      [--origins URL,URL|off] [--icon URL|off] [--link-mode token|redirect] [--receipts full|aggregate|off] [--dormant-months N|off]\n" +
  "      [--return-days N|off] [--preferences-url URL|off] [--facts JSON|off]\n" +
  "      [--migrate-subscriptions on|off|/WORKER.js,…]\n" +
  "      [--utm-source V|off] [--utm-medium V|off] [--utm-campaign V|off]\n" +
  "      [--prompt-mode soft|off] [--prompt-delay-seconds N] [--prompt-repeat-days N]\n" +
  "      [--prompt-from-page N] [--prompt-from-visit N] [--prompt-scroll-percent N] [--prompt-consent off|tcf|google|page]\n" +
  "      [--prompt-only-paths /PATH,/PATH|off] [--prompt-never-paths /PATH,/PATH|off]\n" +
  "      [--prompt-title T] [--prompt-body T] [--prompt-accept T] [--prompt-later T] [--prompt-install T]\n" +
  "      [--prompt-choose T] [--prompt-topics ID,ID|off] [--prompt-topics-label T] [--prompt-all-topics T]\n" +
  "      [--prompt-languages JSON|off] [--prompt-other JSON|off]";

/** The option of each field, for `withOptionNames`. A name that ends with a dash is a prefix. */
export const readerFields = {
  origins: "origins",
  iconUrl: "icon",
  linkMode: "link-mode",
  receipts: "receipts",
  dormantMonths: "dormant-months",
  returnDays: "return-days",
  preferencesUrl: "preferences-url",
  facts: "facts",
  migrateSubscriptions: "migrate-subscriptions",
  utm: "utm-",
  prompt: "prompt-",
};

/** Reads the options into a change for `changeSite`. Settings that were not given are undefined. */
export function readReaderOptions(values: Values): Partial<SiteChange> {
  const { origins, icon } = values as Record<string, string | undefined>;
  return {
    origins: listOrOff(origins),
    iconUrl: icon === undefined ? undefined : icon === "off" ? null : icon,
    linkMode: values["link-mode"] as ReaderSettings["linkMode"] | undefined,
    receipts: values.receipts as ReaderSettings["receipts"] | undefined,
    dormantMonths: numberOrOff(values["dormant-months"]),
    returnDays: numberOrOff(values["return-days"]),
    preferencesUrl: textOrOff(values["preferences-url"]),
    facts: jsonOr<DeclaredFact[]>(
      values.facts,
      [],
      "--facts",
      '[{"name":"plan","label":"Your plan","values":["free","paid"]}]',
    ),
    migrateSubscriptions: migrationOf(values["migrate-subscriptions"]),
    utm: given({
      source: textOrOff(values["utm-source"]),
      medium: textOrOff(values["utm-medium"]),
      campaign: textOrOff(values["utm-campaign"]),
    }),
    prompt: given({
      mode: values["prompt-mode"] as "soft" | "off" | undefined,
      consent: values["prompt-consent"] as ReaderSettings["prompt"]["consent"],
      fromPage: readNumber(values["prompt-from-page"]),
      fromVisit: readNumber(values["prompt-from-visit"]),
      delaySeconds: readNumber(values["prompt-delay-seconds"]),
      scrollPercent: readNumber(values["prompt-scroll-percent"]),
      onlyPaths: listOrOff(values["prompt-only-paths"]),
      neverPaths: listOrOff(values["prompt-never-paths"]),
      repeatDays: readNumber(values["prompt-repeat-days"]),
      title: values["prompt-title"] as string | undefined,
      body: values["prompt-body"] as string | undefined,
      accept: values["prompt-accept"] as string | undefined,
      later: values["prompt-later"] as string | undefined,
      install: values["prompt-install"] as string | undefined,
      choose: values["prompt-choose"] as string | undefined,
      topicIds: listOrOff(values["prompt-topics"]),
      topicsLabel: values["prompt-topics-label"] as string | undefined,
      allTopics: values["prompt-all-topics"] as string | undefined,
      languages: jsonOr<PromptLanguages | null>(
        values["prompt-languages"],
        null,
        "--prompt-languages",
        '{"de":{"title":"Eilmeldungen?"}}',
      ),
      other: jsonOr<OtherPrompt | null>(
        values["prompt-other"],
        null,
        "--prompt-other",
        '{"title":"Goals at once?","fromPage":1}',
      ),
    }),
  };
}

/** Reads an option whose value is JSON. Returns `off` for "off". Throws `UsageError`, which shows `example`. */
function jsonOr<T>(typed: Typed, off: T, option: string, example: string): T | undefined {
  if (typed === undefined) return undefined;
  if (typed === "off") return off;
  try {
    return JSON.parse(String(typed));
  } catch {
    throw new UsageError(`${option} is JSON, such as '${example}'`);
  }
}

function migrationOf(typed: string | boolean | undefined): ReaderSettings["migrateSubscriptions"] | undefined {
  if (typed === undefined) return undefined;
  if (typed === "off") return null;
  return { workers: typed === "on" ? [] : String(typed).split(","), formerReaders: null };
}

type Typed = string | boolean | undefined;

/**
 * Reads a number. Any other text, also an empty one, becomes NaN, which `changeSite` refuses with the name of its
 * field.
 */
export function readNumber(value: Typed): number | undefined {
  if (value === undefined) return undefined;
  return value === "" ? Number.NaN : Number(value);
}

/** Reads a number. Returns null for "off". */
export function numberOrOff(value: Typed): number | null | undefined {
  return value === "off" ? null : readNumber(value);
}

/** Reads a comma-separated list. Returns an empty list for "off". */
function listOrOff(value: Typed): string[] | undefined {
  if (value === undefined) return undefined;
  return value === "off"
    ? []
    : String(value)
        .split(",")
        .map((one) => one.trim());
}

function textOrOff(value: Typed): string | null | undefined {
  return value === "off" ? null : (value as string | undefined);
}

/** Returns the members that are not undefined, or undefined if there are none. */
function given<T extends object>(members: T): T | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}
