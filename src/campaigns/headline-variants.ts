import { z } from "zod";
import type { Executor } from "../db/pool.ts";
import { maxBodyLength, maxTitleLength } from "../decision/nudge.ts";
import { type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { expects } from "../input.ts";
import { largestPayloadBytes, maxPayloadBytes } from "../runs/payload.ts";
import type { NudgeExtras } from "../runs/run.ts";
import { siteById } from "../tenants/sites/queries.ts";
import { imageUrl, requiredText, text } from "./nudge-text.ts";

/**
 * A variant that is tested against the campaign's own notification. Absent fields are those of the campaign. An empty
 * imageUrl means no image.
 */
export type HeadlineVariant = { title?: string; body?: string; imageUrl?: string };

/** The fields of a campaign that tests headlines. `testShare`: percent of its audience. */
export type VariantFields = { variants?: HeadlineVariant[]; testShare?: number; testMinutes?: number };

export const defaultTestShare = 20;
export const defaultTestMinutes = 30;

const variant = z
  .strictObject(
    {
      title: requiredText(maxTitleLength, faults.empty()).optional(),
      body: text(maxBodyLength).optional(),
      imageUrl: imageUrl.optional(),
    },
    expects("a JSON object"),
  )
  .refine((fields) => Object.values(fields).some((value) => value !== undefined), {
    error: zodText(faults.empty_variant()),
  });

/** The most variants of a campaign, besides its own text. */
export const maxVariants = 3;

/** The optional fields of a headline test in the bodies of a creation and a change. [] removes earlier variants. */
export const variantFields = {
  variants: z
    .array(variant, zodText(faults.wrong_type({ type: "a list" })))
    .max(maxVariants, zodText(faults.too_many_variants({ most: maxVariants })))
    .optional(),
  testShare: z
    .int(zodText(faults.wrong_type({ type: "a whole number of percent" })))
    .min(1, zodText(faults.too_small({ least: 1 })))
    .max(100, zodText(faults.too_large({ most: 100 })))
    .optional(),
  testMinutes: z
    .int(zodText(faults.wrong_type({ type: "a whole number of minutes" })))
    .min(1, zodText(faults.too_small({ least: 1 })))
    .max(1_440, zodText(faults.too_many_minutes({ most: 1_440 })))
    .optional(),
};

/** The notification of a campaign. */
type Nudge = {
  title: string | null;
  body: string;
  url: string;
  imageUrl: string | null;
  extras: NudgeExtras & VariantFields;
};

/** The facts that decide whether a campaign can test headlines. */
type TestedCampaign = { siteId: string; corrects: string | null; ttlSeconds: number };

/** Returns the campaign's own notification without the fields of its test, and each variant of it. */
export function variantsOf<Of extends Nudge>({ extras, ...nudge }: Of) {
  const { variants = [], testShare: _, testMinutes: __, ...sent } = extras;
  const own = { ...nudge, extras: sent as NudgeExtras };
  return [
    own,
    ...variants.map(({ imageUrl: image, ...texts }) => ({
      ...own,
      ...texts,
      imageUrl: image === undefined ? nudge.imageUrl : image || null,
    })),
  ];
}

/** Refuses variants that cannot be tested. Throws `validation_failed` with all faults. */
export async function assertVariantsFit(on: Executor, campaign: Nudge & TestedCampaign): Promise<void> {
  const { variants = [], testShare, testMinutes } = campaign.extras;
  const useless = Object.entries({ testShare, testMinutes }).filter(([, value]) => value !== undefined);
  const wrong =
    variants.length === 0
      ? useless.map(([name]) => fault(`/${name}`, faults.no_variants()))
      : [...(await faultsOfTest(on, campaign)), ...faultsOfVariants(campaign)];
  if (wrong.length > 0) throw invalidFields(wrong);
}

async function faultsOfTest(
  on: Executor,
  { siteId, corrects, ttlSeconds, extras }: TestedCampaign & Pick<Nudge, "extras">,
): Promise<FieldFault[]> {
  const { receipts } = (await siteById(on, siteId)) ?? {};
  const { testMinutes = defaultTestMinutes } = extras;
  const wrong: [boolean, FieldFault][] = [
    [corrects !== null, fault("/variants", faults.test_of_correction())],
    [receipts !== "full", fault("/variants", faults.headlines_not_counted())],
    [120 * testMinutes > ttlSeconds, fault("/testMinutes", faults.test_too_long())],
  ];
  return wrong.flatMap(([isFault, one]) => (isFault ? [one] : []));
}

function faultsOfVariants(campaign: Nudge): FieldFault[] {
  const [own, ...others] = variantsOf(campaign);
  return others.flatMap((other, i) => {
    const path = `/variants/${i}`;
    const bytes = largestPayloadBytes({ ...other, title: other.title ?? "" });
    const tooLarge = faults.variant_too_large({ bytes, most: maxPayloadBytes });
    const isRepeated = [own!, ...others.slice(0, i)].some((earlier) => isSame(earlier, other));
    return [
      ...(bytes > maxPayloadBytes ? [fault(path, tooLarge)] : []),
      ...(isRepeated ? [fault(path, faults.same_headline())] : []),
    ];
  });
}

function isSame(a: Omit<Nudge, "extras">, b: Omit<Nudge, "extras">): boolean {
  return a.title === b.title && a.body === b.body && a.imageUrl === b.imageUrl;
}
