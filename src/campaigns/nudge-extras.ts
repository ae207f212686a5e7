import { z } from "zod";
import { faults, zodText } from "../faults.ts";
import { expects, flag, lineOfText, oneOf } from "../input.ts";
import type { NudgeExtras } from "../runs/run.ts";
import { type VariantFields, variantFields } from "./headline-variants.ts";
import { link } from "./link.ts";

const noBadge = faults.not_a_badge_url();
const noLanguage = zodText(faults.not_a_language_tag());
const maxLanguageLength = 35;
/** The most buttons of a notification. Browsers do not show more. */
export const maxActions = 2;

const language = z
  .string(expects("a string"))
  .max(maxLanguageLength, noLanguage)
  .transform((tag, context) => {
    try {
      return tag === "" ? "" : Intl.getCanonicalLocales(tag)[0]!;
    } catch {
      context.addIssue({ code: "custom", message: noLanguage });
      return z.NEVER;
    }
  });

/**
 * The optional fields of a notification in the bodies of a creation and a change. "" or [] removes an earlier value.
 */
export const extraFields = {
  actions: z
    .array(
      z.strictObject(
        { title: lineOfText(40), url: link(["https:", "http:"], faults.not_an_http_link()) },
        expects("a JSON object"),
      ),
      zodText(faults.wrong_type({ type: "a list" })),
    )
    .max(maxActions, zodText(faults.too_large({ most: maxActions })))
    .optional(),
  badge: z.union([z.literal(""), link(["https:"], noBadge)], zodText(noBadge)).optional(),
  appBadge: z
    .int(zodText(faults.wrong_type({ type: "a whole number" })))
    .min(0, zodText(faults.too_small({ least: 0 })))
    .max(9_999, zodText(faults.too_large({ most: 9_999 })))
    .optional(),
  lang: language.optional(),
  dir: oneOf(["auto", "ltr", "rtl"]).optional(),
  requireInteraction: flag.optional(),
  storyId: z
    .string(expects("a string"))
    .trim()
    .max(200, zodText(faults.too_long({ most: 200 })))
    .optional(),
  silent: flag.optional(),
  ...variantFields,
};

/** The optional fields of a campaign, besides the text and picture of its notification. */
export type CampaignExtras = NudgeExtras & VariantFields;

type ExtraInput = { [Name in keyof typeof extraFields]?: z.output<(typeof extraFields)[Name]> };

/**
 * Returns the extras of a campaign after a change. Fields that the change does not name stay. "" and [] remove a
 * field. [] for the variants also removes the other fields of their test.
 */
export function withExtras(before: CampaignExtras, change: ExtraInput): CampaignExtras {
  const named = Object.keys(extraFields).map((name) => [name, change[name as keyof ExtraInput]] as const);
  const kept = isEmptyList(change.variants) ? { ...before, testShare: "", testMinutes: "" } : before;
  const after = { ...kept, ...Object.fromEntries(named.filter(([, value]) => value !== undefined)) };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== "" && !isEmptyList(value)));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
