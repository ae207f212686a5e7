import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type CampaignView, viewCampaign, warningsOfTopics } from "../campaigns/campaign.ts";
import type { CampaignInput } from "../campaigns/campaign-input.ts";
import { faultsOfReferences } from "../campaigns/campaign-rules.ts";
import {
  checkReferences,
  countCampaigns,
  fieldsOf,
  findEarlier,
  idempotencyOf,
  prepareCampaign,
  withKey,
} from "../campaigns/create-campaign.ts";
import { insertCampaign, type NewCampaign } from "../campaigns/queries.ts";
import { inTenant } from "../db/pool.ts";
import { fetchesOfRequester, type PageFetcher } from "../egress/page/fetch-page.ts";
import { AppError, appError, type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { newId } from "../ids.ts";
import { campaignsOfGroup } from "./campaigns-of-group.ts";
import { distinctFaults, type GroupSite, readGroupInput } from "./group-input.ts";

/** A new group. `campaigns`: one for each site, in the order of the request. */
export type CreatedGroup = { groupId: string; campaigns: CampaignView[]; duplicate: boolean };

/** The parsed campaign of a site, and a function from paths in its body to paths in the group's body. */
type WantedSite = Pick<GroupSite, "pathOf"> & { wanted: CampaignInput };

/**
 * Creates a campaign at each of several sites in one transaction, as `createCampaign` does. Creates all of them or
 * none. If several sites name the same page, reads it once. Throws what `createCampaign` throws, with the path of the
 * site. The same body with the same Idempotency-Key returns the first group, with `duplicate: true`. If no page of the
 * group answered, the key is not stored.
 */
export async function createGroup(
  app: App,
  actor: Actor,
  input: { body: unknown; idempotencyKey: string | null },
): Promise<CreatedGroup> {
  const sites = await readSites(app, actor, input.body);
  const fields = sites.map(({ wanted }) => fieldsOf(wanted));
  const idempotency = idempotencyOf(input.idempotencyKey, { sites: fields });
  const viewEarlier = async () => {
    const earlier = await findEarlier(app, actor, idempotency);
    return earlier && { ...(await viewGroup(app, actor, earlier.groupId!, sites)), duplicate: true };
  };
  const earlier = await viewEarlier();
  if (earlier !== undefined) return earlier;
  const checked = await assertReferences(app, actor, sites);
  await countCampaigns(app, actor, sites.length);
  const prepared = await prepareAll(app, actor, checked);
  const kept = prepared.every(({ isUnread }) => isUnread) ? null : idempotency;
  const groupId = newId();
  const campaigns = prepared.map(({ campaign }) => ({ ...campaign, groupId }));
  const isNew = await insertAll(app, actor, [withKey(campaigns[0]!, kept), ...campaigns.slice(1)]);
  if (!isNew) return (await viewEarlier())!;
  return { ...(await viewGroup(app, actor, groupId, sites)), duplicate: false };
}

async function readSites(app: App, actor: Actor, body: unknown): Promise<WantedSite[]> {
  const sites = readGroupInput(body);
  const wanted = sites.flatMap(({ read, pathOf }) =>
    read.faults === undefined ? [{ wanted: read.wanted, pathOf }] : [],
  );
  if (wanted.length === sites.length) return wanted;
  const wrong = [];
  for (const { read, pathOf } of sites) {
    const found =
      read.faults === undefined
        ? (await checkReferences(app, actor, read.wanted)).faults
        : [...read.faults, ...(await faultsOfReferences(app.db, actor.tenantId, read.named))];
    wrong.push(...withPaths(found, pathOf));
  }
  throw invalidFields(distinctFaults(wrong));
}

async function assertReferences(app: App, actor: Actor, sites: WantedSite[]): Promise<WantedSite[]> {
  const wrong = [];
  const checked = [];
  for (const { wanted, pathOf } of sites) {
    const found = await checkReferences(app, actor, wanted);
    wrong.push(...withPaths(found.faults, pathOf));
    checked.push({ wanted: { ...wanted, ...found.given }, pathOf });
  }
  if (wrong.length > 0) throw invalidFields(distinctFaults(wrong));
  return checked;
}

const withPaths = (wrong: FieldFault[], pathOf: GroupSite["pathOf"]): FieldFault[] =>
  wrong.map((one) => ({ ...one, path: pathOf(one.path) }));

async function prepareAll(app: App, actor: Actor, sites: WantedSite[]) {
  const pages = readOnce(app.pages);
  const urls = sites.flatMap(({ wanted }) => (wanted.mode === "url" ? [wanted.url] : []));
  // Reads as many pages at the same time as the tenant may. A page that had to wait for the others would get no slot.
  const waiting = [...new Set(urls)];
  const readInTurn = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift())
      await pages.fetchPage(url, actor.tenantId);
  };
  await Promise.all(Array.from({ length: fetchesOfRequester }, readInTurn));
  const { now, db, parser } = app;
  const prepared = [];
  for (const { wanted, pathOf } of sites) {
    try {
      prepared.push(await prepareCampaign({ now, db, parser, pages }, actor, wanted, undefined));
    } catch (error) {
      throw atSite(error, pathOf);
    }
  }
  return prepared;
}

/** Returns a fetcher that reads each address once. */
function readOnce({ fetchPage }: PageFetcher): Pick<PageFetcher, "fetchPage"> {
  const pages = new Map<string, ReturnType<PageFetcher["fetchPage"]>>();
  return {
    fetchPage(url, requester) {
      const page = pages.get(url) ?? fetchPage(url, requester);
      pages.set(url, page);
      return page;
    },
  };
}

/**
 * Returns the error of a site's campaign with paths of the group's body. `fetch_failed` becomes a fault of the site's
 * `url`.
 */
function atSite(error: unknown, pathOf: GroupSite["pathOf"]): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details } = error;
  const unread = code === "fetch_failed" ? [fault("/url", faults.could_not_be_read())] : [];
  const { errors = unread } = details as { errors?: FieldFault[] };
  if (errors.length === 0) return error;
  return appError(code, { ...details, message, errors: withPaths(errors, pathOf) });
}

/**
 * Inserts all campaigns, the first one with the Idempotency-Key. Returns false and inserts none if another request
 * with this key was faster.
 */
function insertAll(app: App, actor: Actor, [first, ...others]: NewCampaign[]): Promise<boolean> {
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await insertCampaign(tx, first!))) return false;
    for (const campaign of others) await insertCampaign(tx, campaign);
    return true;
  });
}

async function viewGroup(app: App, actor: Actor, groupId: string, sites: WantedSite[]) {
  const warnings = new Map(sites.map(({ wanted }) => [wanted.siteId, warningsOfTopics(wanted.topicIds)]));
  const records = await campaignsOfGroup(app.db, actor.tenantId, groupId);
  return { groupId, campaigns: records.map((record) => viewCampaign(record, warnings.get(record.siteId))) };
}
