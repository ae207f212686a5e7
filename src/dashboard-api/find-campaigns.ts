import { sql } from "kysely";
import { z } from "zod";
import { type Actor, seesSite } from "../actor.ts";
import type { App } from "../app.ts";
import type { CampaignView } from "../campaigns/campaign.ts";
import type { CampaignFilter } from "../campaigns/queries.ts";
import { listFields, readCampaignPage, unknownSite } from "../campaigns/read-campaigns.ts";
import { faults, zodText } from "../faults.ts";
import { cutPage, day, oneOf, parseInput, uuid } from "../input.ts";
import { shareCount } from "../subscribers/share-count.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { findSite } from "./audience.ts";
import {
  conditionsOf,
  mostClicked,
  type Sender,
  sendersOfSite,
  type TopicChoice,
  topicChoices,
} from "./campaign-queries.ts";
import { isPeriod, periodFault } from "./reports/period.ts";
import { figuresOfRuns } from "./reports/queries.ts";
import { type Figures, viewFigures } from "./reports/view-figures.ts";

/** A campaign with the figures of its live run. `run`: null if it has none. */
export type CampaignRow = CampaignView & { run: Figures | null };

const searchMessage = zodText(faults.search_too_long({ most: 200 }));
const senderMessage = zodText(faults.not_a_choice({ choices: "one of user:ID, key:ID, feed:ID, operator" }));
const cursorMessage = zodText(faults.not_a_cursor());
const clickedCursor = /^(\d{1,15})\.([\da-f-]{36})$/;

const findInput = z
  .strictObject({
    ...listFields,
    cursor: z.union([z.uuid(), z.string().regex(clickedCursor)], cursorMessage).optional(),
    search: z.string(searchMessage).max(200, searchMessage).optional(),
    topicId: uuid.optional(),
    sender: z
      .string(senderMessage)
      .regex(/^(operator|(user|key|feed):[\da-f-]{36})$/, senderMessage)
      .optional(),
    from: day.optional(),
    to: day.optional(),
    sort: oneOf(["newest", "clicks"]).default("newest"),
  })
  .superRefine((query, { addIssue }) => {
    const { siteId, from, to, sort, cursor } = query;
    const refuse = (field: string, message: string) => addIssue({ code: "custom", path: [field], message });
    const isByClicks = sort === "clicks";
    if (siteId === undefined && (isByClicks || from !== undefined || to !== undefined))
      refuse("siteId", zodText(faults.required()));
    if (isByClicks && from === undefined) refuse("from", zodText(faults.required()));
    if (isByClicks && to === undefined) refuse("to", zodText(faults.required()));
    if (from !== undefined && to !== undefined) {
      if (from > to) refuse("to", zodText(faults.before_from()));
      else if (isByClicks && !isPeriod({ from, to })) refuse("to", periodFault.error);
    }
    if (cursor !== undefined && clickedCursor.test(cursor) !== isByClicks) refuse("cursor", cursorMessage);
  });

type FoundPage = { data: CampaignRow[]; nextCursor: string | null };

/**
 * Returns a page of campaigns as /v1 lists them, each with the figures of its run. `query` has the parameters of /v1
 * and more:
 * - `search`: a part of the title or the URL
 * - `topicId`: a topic
 * - `sender`: a sender
 * - `from` and `to`: the days of the site on which the campaigns were sent; at most a year if sorted by clicks
 * - `sort`: the order
 *
 * Throws `validation_failed`.
 */
export async function findCampaigns(app: App, actor: Actor, input: { query: unknown }): Promise<FoundPage> {
  const { limit, cursor, sort, status, siteId, externalId, ...filter } = parseInput(findInput, input.query ?? {});
  const isSeen = siteId !== undefined && seesSite(actor, siteId);
  const site = isSeen ? await siteOfTenant(app.db, actor.tenantId, siteId) : undefined;
  if (siteId !== undefined && site === undefined) throw unknownSite();
  const found = { status, siteId, externalId, where: conditionsOf(filter, site), limit };
  if (sort === "clicks") return findMostClicked(app, actor, found, cursor);
  const { data, nextCursor } = await readCampaignPage(app, actor, { ...found, after: cursor });
  return { data: await addFigures(app, actor, data), nextCursor };
}

/**
 * Returns a page of the campaigns sorted by clicks. A cursor holds the clicks of its campaign, because they grow
 * meanwhile.
 */
async function findMostClicked(
  app: App,
  actor: Actor,
  filter: CampaignFilter,
  cursor: string | undefined,
): Promise<FoundPage> {
  const { limit } = filter;
  const [, clicked, id] = clickedCursor.exec(cursor ?? "") ?? [];
  const after = id === undefined ? undefined : { clicked: Number(clicked), id };
  const found = await mostClicked(app.db, actor.tenantId, { ...filter, after, limit: limit + 1 });
  const { page, nextCursor } = cutPage(found, limit, (last) => `${last.clicked}.${last.id}`);
  const ids = page.map((one) => one.id);
  const { data } = await readCampaignPage(app, actor, { where: [sql`id = any(${ids}::uuid[])`], limit });
  const byId = new Map(data.map((campaign) => [campaign.campaignId, campaign]));
  return {
    data: await addFigures(
      app,
      actor,
      ids.flatMap((one) => byId.get(one) ?? []),
    ),
    nextCursor,
  };
}

/** Adds the figures of their live runs to campaigns. */
export async function addFigures(app: App, actor: Actor, campaigns: CampaignView[]): Promise<CampaignRow[]> {
  const runIds = campaigns.flatMap(({ runId }) => (runId === null ? [] : [runId]));
  const found = runIds.length === 0 ? [] : await figuresOfRuns(app.db, actor.tenantId, runIds);
  const byId = new Map(found.map((run) => [run.runId, viewFigures(run)]));
  return campaigns.map((campaign) => ({ ...campaign, run: byId.get(campaign.runId ?? "") ?? null }));
}

const choicesAtMost = 200;

/** The choices for filters of a site's list of campaigns: its topics, and its senders. */
export type CampaignChoices = { topics: TopicChoice[]; senders: Sender[] };

/** Returns the topics and the senders of a site, at most 200 of each. Throws `not_found`. */
export async function readCampaignChoices(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<CampaignChoices> {
  const site = await findSite(app, actor, siteId);
  const senders = shareCount(app, siteId, ["senders"], () => sendersOfSite(app.db, site, choicesAtMost));
  return { topics: await topicChoices(app.db, siteId, choicesAtMost), senders: await senders };
}
