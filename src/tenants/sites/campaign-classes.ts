import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { lineOfText, oneOf, wholeNumber } from "../../input.ts";

/** The classes of campaigns, most important first. */
export const campaignClasses = ["breaking", "normal", "low"] as const;
export type CampaignClass = (typeof campaignClasses)[number];

/** The class of a campaign that names none. */
export const defaultClass: CampaignClass = "normal";

/** The senders whom a class may allow: members by their role, and API keys. */
export const classSenders = ["owner", "editor", "key"] as const;
export type ClassSender = (typeof classSenders)[number];

/** The windows of class caps, shortest first. */
export const capWindows = [
  { name: "hour", hours: 1 },
  { name: "day", hours: 24 },
  { name: "week", hours: 168 },
] as const;

/** How many notifications of a class one reader gets within each window. Null if there is no limit. */
export type ClassCaps = Record<(typeof capWindows)[number]["name"], number | null>;

/** A site's rule for the campaigns of a class. */
export type ClassRule = {
  /** The site's name for the class. Null for the usual name, in the language of the page. */
  name: string | null;
  senders: ClassSender[];
  /** The most sends of the class in 24 hours. Null if there is no limit. */
  maxADay: number | null;
  caps: ClassCaps;
  /**
   * The share of readers who get no campaign of the class, in percent, 0 to 10. Their behavior shows the effect of
   * the class.
   */
  holdoutPercent: number;
};

export type ClassRules = Record<CampaignClass, ClassRule>;

/** The most readers, in percent, that a class can leave out. */
export const maxHoldoutPercent = 10;

const noCaps: ClassCaps = { hour: null, day: null, week: null };
const defaultRule: ClassRule = {
  name: null,
  senders: [...classSenders],
  maxADay: null,
  caps: noCaps,
  holdoutPercent: 0,
};

/** Returns the rules of a site. `set`: the stored rules; defaults fill in everything else. */
export function classRulesOf(set: Partial<Record<CampaignClass, Partial<ClassRule>>>): ClassRules {
  const rules = campaignClasses.map((name) => [name, { ...defaultRule, ...set[name] }] as const);
  return Object.fromEntries(rules) as ClassRules;
}

export const campaignClass = oneOf(campaignClasses);

const cap = wholeNumber(1, 1_000).nullable().default(null);

const rule = z.strictObject({
  name: lineOfText(30).nullable().default(defaultRule.name),
  senders: z
    .array(oneOf(classSenders), zodText(faults.wrong_type({ type: "a list of owner, editor and key" })))
    .min(1, zodText(faults.empty()))
    .max(classSenders.length, zodText(faults.too_large({ most: classSenders.length })))
    .transform((all) => classSenders.filter((sender) => all.includes(sender)))
    .default(defaultRule.senders),
  maxADay: wholeNumber(1, 1_000).nullable().default(defaultRule.maxADay),
  caps: z
    .strictObject(
      { hour: cap, day: cap, week: cap },
      zodText(faults.wrong_type({ type: "an object with hour, day and week" })),
    )
    .default(noCaps),
  holdoutPercent: wholeNumber(0, maxHoldoutPercent).default(defaultRule.holdoutPercent),
});

/**
 * A change of a site's rules. A named class gets exactly the given fields, with defaults. The other classes stay as
 * they are.
 */
export const classesChange = z.strictObject({
  breaking: rule.optional(),
  normal: rule.optional(),
  low: rule.optional(),
});
