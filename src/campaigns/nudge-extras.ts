import { z } from "zod";
import { expects, lineOfText } from "../input.ts";
import type { NudgeExtras } from "../runs/run.ts";
import { type VariantFields, variantFields } from "./headline-variants.ts";
import { link } from "./link.ts";

const noBadge = 'must be an https:// URL, or "" for no badge';
const noLanguage = 'must be a language tag such as de or pt-BR, or "" for the article\'s';
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
        { title: lineOfText(40), url: link(["https:", "http:"], "must be an http(s):// URL without a user name") },
        expects("a JSON object"),
      ),
      "must be a list",
    )
    .max(maxActions, `must be at most ${maxActions}`)
    .optional(),
  badge: z.union([z.literal(""), link(["https:"], noBadge)], noBadge).optional(),
  appBadge: z.int("must be a whole number").min(0, "must be at least 0").max(9_999, "must be at most 9,999").optional(),
  lang: language.optional(),
  dir: z.enum(["auto", "ltr", "rtl"], "must be auto, ltr or rtl").optional(),
  requireInteraction: z.boolean("must be true or false").optional(),
  storyId: z.string(expects("a string")).trim().max(200, "must have at most 200 characters").optional(),
  silent: z.boolean("must be true or false").optional(),
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
