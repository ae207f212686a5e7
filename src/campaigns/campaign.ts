import { z } from "zod";
import { cleanText, codePoints } from "../decision/text.ts";
import { expects, parseInput } from "../input.ts";
import type { Urgency } from "../runs/run.ts";
import type { CampaignStatus, StoredStatus } from "./states.ts";

export const maxTitle = 120;
export const maxBody = 240;
const maxUrl = 2_048;
const maxTopics = 100;

export const defaultTtlSeconds = 4 * 60 * 60;

const text = (max: number) =>
  z
    .string(expects("a string"))
    .transform(cleanText)
    .refine((value) => codePoints(value) <= max, `must have at most ${max} characters`);

const requiredText = (max: number) => text(max).refine((value) => value !== "", "is required in manual mode");

/** Text that is empty after trimming is as good as absent. */
const optionalText = (max: number) =>
  text(max)
    .transform((value) => (value === "" ? undefined : value))
    .optional();

/** A URL that opens on readers' devices: no user name, none of the characters that parsers repair differently. */
const link = (protocols: string[], rule: string) =>
  z
    .string(expects("a string"))
    .max(maxUrl, "must have at most 2,048 characters")
    .refine((value) => isLink(value, protocols), rule);

function isLink(value: string, protocols: string[]): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return protocols.includes(url.protocol) && url.username === "" && url.password === "";
}

const id = z.uuid(expects("a UUID")).transform((value) => value.toLowerCase());

const shared = {
  siteId: id,
  imageUrl: z.union([z.literal(""), link(["https:"], 'must be an https:// URL, or "" for no image')]).optional(),
  topicIds: z
    .array(id, "must be a list of topic ids")
    .max(maxTopics, "must have at most 100 topics")
    .transform((ids) => [...new Set(ids)])
    .optional(),
  forceSend: z.boolean("must be true or false").optional(),
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
};

const urlCampaign = z.strictObject({
  ...shared,
  mode: z.literal("url", 'must be "url" or "manual"').default("url"),
  url: link(["https:"], "must be an https:// URL without a user name"),
  title: optionalText(maxTitle),
  body: optionalText(maxBody),
});

const manualCampaign = z.strictObject({
  ...shared,
  mode: z.literal("manual"),
  url: link(["https:", "http:"], "must be an http(s):// URL without a user name"),
  title: requiredText(maxTitle),
  body: requiredText(maxBody),
});

/** What a caller asks for, checked. */
export type CampaignInput = z.output<typeof urlCampaign> | z.output<typeof manualCampaign>;

/**
 * Reads the body of a creation (the specification's campaign table, completed by externalId, ttlSeconds and urgency).
 * null for an optional field is the same as absent; an unknown field is a fault, for a typo in `topicIds` must never
 * widen an audience. Throws `validation_failed` with all faults at once.
 */
export function readCampaignInput(body: unknown): CampaignInput {
  const isManual = (body as { mode?: unknown } | undefined | null)?.mode === "manual";
  return parseInput(isManual ? manualCampaign : urlCampaign, body);
}

/** The verdict that a creation took and kept. */
export type KeptDecision = {
  decision: "send" | "skip";
  score: number;
  reasons: { code: string; effect: string; message: string }[];
};

export type Warning = { code: string; message: string };

/** A campaign as the database has it; `shownStatus` and `runId` are read from its live run. */
export type CampaignRecord = {
  id: string;
  tenantId: string;
  siteId: string;
  externalId: string | null;
  mode: "url" | "manual";
  status: StoredStatus;
  shownStatus: CampaignStatus;
  runId: string | null;
  url: string;
  title: string | null;
  body: string;
  imageUrl: string | null;
  topicIds: string[];
  forceSend: boolean;
  decision: KeptDecision | null;
  ttlSeconds: number;
  urgency: Urgency;
  scheduledAt: Date | null;
  failure: { code: string; message: string } | null;
  createdAt: Date;
  updatedAt: Date;
};

/** A campaign as callers see it. */
export type CampaignView = ReturnType<typeof viewCampaign>;

export function viewCampaign(record: CampaignRecord, warnings: Warning[] = []) {
  const { id: campaignId, status: _, shownStatus, scheduledAt, createdAt, updatedAt, ...rest } = record;
  return {
    campaignId,
    ...rest,
    status: shownStatus,
    scheduledAt: scheduledAt?.toISOString() ?? null,
    warnings,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
