import { z } from "zod";
import { maxBodyLength, maxTitleLength } from "../decision/nudge.ts";
import { AppError, type FieldFault } from "../errors.ts";
import { expects, lineOfText, parseInput, uuid } from "../input.ts";
import { followersChoice } from "../subscribers/follows/follow.ts";
import { segmentChoice } from "../subscribers/segments/segment.ts";
import { campaignClass } from "../tenants/sites/campaign-classes.ts";
import { link } from "./link.ts";
import { extraFields } from "./nudge-extras.ts";
import { imageUrl, optionalText, requiredText, text } from "./nudge-text.ts";

export const maxTopics = 100;

/** The most sites of a group of campaigns. */
export const maxSitesOfGroup = 20;

const storyUrl = link(["https:"], "must be an https:// URL without a user name");
const destinationUrl = link(["https:", "http:"], "must be an http(s):// URL without a user name");

const topicIds = z
  .array(uuid, "must be a list of topic ids")
  .max(maxTopics, `must have at most ${maxTopics} topics`)
  .transform((ids) => [...new Set(ids)]);

/** The most labels of a campaign. */
export const maxLabels = 10;

const labels = z
  .array(lineOfText(40), "must be a list of texts")
  .max(maxLabels, `must be at most ${maxLabels}`)
  .transform((all) => [...new Set(all)]);

/** The fields that are the same in both modes and can be changed in a draft. */
const changeable = {
  imageUrl: imageUrl.optional(),
  topicIds: topicIds.optional(),
  segment: segmentChoice.optional(),
  followersOf: followersChoice.optional(),
  externalId: z
    .string("must be a string")
    .min(1, "must not be empty")
    .max(200, "must have at most 200 characters")
    .optional(),
  ttlSeconds: z
    .int("must be a whole number of seconds")
    .min(60, "must be at least 60")
    .max(2_419_200, "must be at most 2,419,200 (28 days)")
    .optional(),
  urgency: z.enum(["very-low", "low", "normal", "high"], "must be very-low, low, normal or high").optional(),
  class: campaignClass.optional(),
  labels: labels.optional(),
  ...extraFields,
};

const shared = {
  ...changeable,
  siteId: uuid,
  corrects: uuid.optional(),
  forceSend: z.boolean("must be true or false").optional(),
};

const jsonObject = expects("a JSON object");

const urlCampaign = z.strictObject(
  {
    ...shared,
    mode: z.literal("url", 'must be "url" or "manual"').default("url"),
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
    title: requiredText(maxTitleLength, "is required in manual mode"),
    body: requiredText(maxBodyLength, "is required in manual mode"),
  },
  jsonObject,
);

const urlChange = z.strictObject(
  {
    ...changeable,
    title: requiredText(maxTitleLength, "must not be empty").optional(),
    body: text(maxBodyLength).optional(),
    url: z.never("cannot be changed in url mode, where the decision was taken on it: create another one").optional(),
  },
  jsonObject,
);

const manualChange = z.strictObject(
  {
    ...changeable,
    title: requiredText(maxTitleLength, "must not be empty").optional(),
    body: requiredText(maxBodyLength, "must not be empty in manual mode").optional(),
    url: destinationUrl.optional(),
  },
  jsonObject,
);

const anyChange = { error: "must change title, body or imageUrl" };

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
