import { z } from "zod";
import { maxBodyLength, maxTitleLength } from "../decision/nudge.ts";
import { AppError, type FieldFault } from "../errors.ts";
import { faults, zodText } from "../faults.ts";
import { expects, flag, lineOfText, oneOf, parseInput, uuid } from "../input.ts";
import { followersChoice } from "../subscribers/follows/follow.ts";
import { segmentChoice } from "../subscribers/segments/segment.ts";
import { campaignClass } from "../tenants/sites/campaign-classes.ts";
import { link } from "./link.ts";
import { extraFields } from "./nudge-extras.ts";
import { imageUrl, optionalText, requiredText, text } from "./nudge-text.ts";

export const maxTopics = 100;

/** The most sites of a group of campaigns. */
export const maxSitesOfGroup = 20;

const storyUrl = link(["https:"], faults.not_an_https_link());
const destinationUrl = link(["https:", "http:"], faults.not_an_http_link());

const topicIds = z
  .array(uuid, zodText(faults.wrong_type({ type: "a list of topic ids" })))
  .max(maxTopics, zodText(faults.too_many_topics({ most: maxTopics })))
  .transform((ids) => [...new Set(ids)]);

/** The most labels of a campaign. */
export const maxLabels = 10;

const labels = z
  .array(lineOfText(40), zodText(faults.wrong_type({ type: "a list of texts" })))
  .max(maxLabels, zodText(faults.too_large({ most: maxLabels })))
  .transform((all) => [...new Set(all)]);

/** The fields that are the same in both modes and can be changed in a draft. */
const changeable = {
  imageUrl: imageUrl.optional(),
  topicIds: topicIds.optional(),
  segment: segmentChoice.optional(),
  followersOf: followersChoice.optional(),
  externalId: z
    .string(zodText(faults.wrong_type({ type: "a string" })))
    .min(1, zodText(faults.empty()))
    .max(200, zodText(faults.too_long({ most: 200 })))
    .optional(),
  ttlSeconds: z
    .int(zodText(faults.wrong_type({ type: "a whole number of seconds" })))
    .min(60, zodText(faults.too_small({ least: 60 })))
    .max(2_419_200, zodText(faults.too_many_seconds({ most: 2_419_200 })))
    .optional(),
  urgency: oneOf(["very-low", "low", "normal", "high"]).optional(),
  class: campaignClass.optional(),
  labels: labels.optional(),
  ...extraFields,
};

const shared = {
  ...changeable,
  siteId: uuid,
  corrects: uuid.optional(),
  forceSend: flag.optional(),
};

const jsonObject = expects("a JSON object");

const urlCampaign = z.strictObject(
  {
    ...shared,
    mode: z.literal("url", zodText(faults.not_a_choice({ choices: '"url" or "manual"' }))).default("url"),
    url: storyUrl,
    title: optionalText(maxTitleLength),
    body: optionalText(maxBodyLength),
  },
  jsonObject,
);

/** The fields on which the decision on a story depends, besides the story's page. Previews and campaigns share them. */
export const decidedOn = urlCampaign.pick({
  title: true,
  body: true,
  imageUrl: true,
  topicIds: true,
  segment: true,
  followersOf: true,
  class: true,
}).shape;

const manualCampaign = z.strictObject(
  {
    ...shared,
    mode: z.literal("manual"),
    url: destinationUrl,
    title: requiredText(maxTitleLength, faults.required_in_manual_mode()),
    body: requiredText(maxBodyLength, faults.required_in_manual_mode()),
  },
  jsonObject,
);

const urlChange = z.strictObject(
  {
    ...changeable,
    title: requiredText(maxTitleLength, faults.empty()).optional(),
    body: text(maxBodyLength).optional(),
    url: z.never(zodText(faults.fixed_in_url_mode())).optional(),
  },
  jsonObject,
);

const manualChange = z.strictObject(
  {
    ...changeable,
    title: requiredText(maxTitleLength, faults.empty()).optional(),
    body: requiredText(maxBodyLength, faults.empty_in_manual_mode()).optional(),
    url: destinationUrl.optional(),
  },
  jsonObject,
);

const anyChange = { error: zodText(faults.unchanged()) };

const isChange = (update: object) => Object.values(update).some((value) => value !== undefined);
const urlUpdate = z
  .strictObject({ title: urlChange.shape.title, body: urlChange.shape.body, imageUrl: changeable.imageUrl }, jsonObject)
  .refine(isChange, anyChange);
const manualUpdate = z
  .strictObject(
    { title: manualChange.shape.title, body: manualChange.shape.body, imageUrl: changeable.imageUrl },
    jsonObject,
  )
  .refine(isChange, anyChange);

/** The parsed body of a creation. `corrects`: the campaign whose notification this one replaces. */
export type CampaignInput = z.output<typeof urlCampaign> | z.output<typeof manualCampaign>;

/** The parsed body of a change. An absent field stays unchanged. */
export type CampaignChange = z.output<typeof urlChange> | z.output<typeof manualChange>;

/** The body of a creation as a caller writes it. The client's types must be equal to it. */
export type CampaignBody = z.input<typeof urlCampaign> | z.input<typeof manualCampaign>;

/** The body of an update as a caller writes it. */
export type UpdateBody = z.input<typeof urlUpdate>;

/** The body of a change as a caller writes it, by the campaign's mode. */
export type CampaignChangeBody = { url: z.input<typeof urlChange>; manual: z.input<typeof manualChange> };

/**
 * The well-formed ids in a body. They are looked up even if the body has other faults, so that the answer has all
 * faults.
 */
export type NamedIds = { siteId: string | undefined; topicIds: string[]; segment: string | undefined };

export type ReadInput<T> = { wanted: T; faults?: never } | { faults: FieldFault[]; named: NamedIds };

/**
 * Parses the body of a creation: the fields of the specification's campaign table, and externalId, ttlSeconds and
 * urgency. A null for an optional field counts as absent. An unknown field is a fault, because a typo in `topicIds`
 * must not send to everyone. Returns the input, or all faults with the ids that the body names.
 */
export function readCampaignInput(body: unknown): ReadInput<CampaignInput> {
  return read(fieldOf(body, "mode") === "manual" ? manualCampaign : urlCampaign, body);
}

/** Parses the body of a change to a draft by the rules of a creation. Returns the change, or all faults. */
export function readCampaignChange(mode: "url" | "manual", body: unknown): ReadInput<CampaignChange> {
  return read(mode === "manual" ? manualChange : urlChange, body);
}

/**
 * Parses and returns the body of an update of a notification, by the rules of a creation. Throws `validation_failed`
 * with all faults.
 */
export function readUpdateInput(mode: "url" | "manual", body: unknown): z.output<typeof urlUpdate> {
  return parseInput(mode === "manual" ? manualUpdate : urlUpdate, body);
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): ReadInput<z.output<Schema>> {
  try {
    return { wanted: parseInput(schema, body) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const named = {
      siteId: uuid.safeParse(fieldOf(body, "siteId")).data,
      topicIds: topicIds.safeParse(fieldOf(body, "topicIds")).data ?? [],
      segment: segmentChoice.safeParse(fieldOf(body, "segment")).data,
    };
    return { faults: error.details.errors as FieldFault[], named };
  }
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}
