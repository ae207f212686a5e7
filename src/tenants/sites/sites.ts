import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { type Executor, inTenant, type Tx } from "../../db/pool.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { newId } from "../../ids.ts";
import { faultsOf, parseInput } from "../../input.ts";
import { changesBetween } from "../changes.ts";
import { tenantLocked } from "../queries.ts";
import { unknownTopics } from "../topics/queries.ts";
import { generateVapidPair, sealVapidKey } from "../vapid/vapid-pair.ts";
import { maxPromptLanguages } from "./prompt-languages.ts";
import { isSiteMoved } from "./quarantine-queries.ts";
import { countSites, insertSite, siteOfTenant, updateSite } from "./queries.ts";
import { isOtherTheSame, originsOf } from "./reader-settings.ts";
import { markSiteRemoved, restoreDays, unmarkSiteRemoved } from "./removal-queries.ts";
import { newSite, type Site, type SiteChange, siteChange } from "./site.ts";

/**
 * Creates a site of the actor's tenant. Returns the site's id and its VAPID public key, base64url. The key pair is
 * new, or is the pair in `vapidPair`, which is the text of a file from another push service. `on`: a transaction.
 * Throws `validation_failed` with all faults at once, and `site_limit`.
 */
export async function createSite(
  app: App,
  actor: Actor,
  on: Executor,
  input: { name: string; url: string; vapidPair?: string | undefined },
): Promise<{ siteId: string; vapidPublicKey: string }> {
  const { name, url, vapidPair } = parseInput(newSite, input);
  await enforceSiteLimit(on, actor);
  const siteId = newId();
  const pair = vapidPair ?? generateVapidPair();
  await insertSite(on, {
    id: siteId,
    tenantId: actor.tenantId,
    name,
    url,
    vapidPublicKey: pair.publicKey,
    vapidPrivateKeySealed: sealVapidKey(app.secrets, siteId, pair.privateKey),
  });
  await recordAuditEvent(on, actor, "site.added", { siteId, details: { name, url } });
  if (vapidPair !== undefined) await recordAuditEvent(on, actor, "vapid.imported", { siteId });
  return { siteId, vapidPublicKey: pair.publicKey.toString("base64url") };
}

/** Throws `site_limit`. If two sites are added at once, the second waits for the first. */
async function enforceSiteLimit(on: Executor, { tenantId }: Actor): Promise<void> {
  const tenant = await tenantLocked(on, tenantId);
  if (tenant !== undefined && (await countSites(on, tenantId)) >= tenant.siteLimit) throw appError("site_limit");
}

/**
 * Changes a site of the actor's tenant: its name, its pause, the limits of its content decision and its reader
 * settings. Absent fields stay as they are. Null removes a setting. `alongside`: further changes in the same
 * transaction. Throws `validation_failed` with all faults at once, and `not_found`.
 */
export async function changeSite(
  app: App,
  actor: Actor,
  input: { siteId: string } & SiteChange,
  alongside: (tx: Tx, after: Site) => Promise<void> = async () => {},
): Promise<Site> {
  const { siteId, ...change } = input;
  // parseInput would treat null as absent. Here null is a value of its own.
  const parsed = siteChange.safeParse(change);
  if (!parsed.success) throw invalidFields(faultsOf(parsed.error));
  if (parsed.data.linkMode === "redirect" && app.config.PUBLIC_URL === undefined) {
    throw invalidFields([fault("/linkMode", faults.public_url_needed())]);
  }
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if (parsed.data.paused === false && (await isSiteMoved(tx, actor.tenantId, siteId))) throw appError("site_moved");
    const before = await siteOfTenant(tx, actor.tenantId, siteId);
    const after = await updateSite(tx, actor.tenantId, siteId, parsed.data);
    if (before === undefined || after === undefined) {
      throw appError("not_found", { message: `There is no site ${siteId}.` });
    }
    if (parsed.data.preferencesUrl && !originsOf(after).includes(new URL(parsed.data.preferencesUrl).origin)) {
      throw invalidFields([fault("/preferencesUrl", faults.not_of_site())]);
    }
    if (Object.keys(after.prompt.languages ?? {}).length > maxPromptLanguages) {
      throw invalidFields([fault("/prompt/languages", faults.too_many_languages({ most: maxPromptLanguages }))]);
    }
    if (after.prompt.other && isOtherTheSame(after.prompt)) {
      throw invalidFields([fault("/prompt/other", faults.same_prompt())]);
    }
    await enforcePromptTopics(tx, before, parsed.data);
    await recordChange(tx, actor, before, after);
    await alongside(tx, after);
    return after;
  });
}

/**
 * Throws `validation_failed` if a change makes the prompt offer topics that the site does not have. A topic that the
 * prompt already offers may have been retired since.
 */
async function enforcePromptTopics(tx: Tx, before: Site, { prompt }: SiteChange): Promise<void> {
  const topicIds = prompt?.topicIds ?? [];
  const added = topicIds.filter((id) => !before.prompt.topicIds?.includes(id));
  const unknown = await unknownTopics(tx, before.id, added);
  const wrong = topicIds.flatMap((id, i) => (unknown.has(id) ? [i] : []));
  if (wrong.length === 0) return;
  throw invalidFields(wrong.map((i) => fault(`/prompt/topicIds/${i}`, faults.unknown_topic())));
}

async function recordChange(tx: Tx, actor: Actor, before: Site, after: Site): Promise<void> {
  const { id: siteId } = after;
  const names = (Object.keys(siteChange.shape) as (keyof SiteChange)[]).filter((name) => name !== "paused");
  const changes = changesBetween(before, after, names);
  if (changes !== undefined) await recordAuditEvent(tx, actor, "site.changed", { siteId, details: { changes } });
  if ((before.pausedAt === null) === (after.pausedAt === null)) return;
  await recordAuditEvent(tx, actor, after.pausedAt === null ? "site.resumed" : "site.paused", { siteId });
}

/**
 * Removes a site of the actor's tenant. Its running sends stop within a second and end as failed. Its scheduled
 * campaigns fail when they are due. For seven days, `restoreSite` can bring the site back. Then maintenance deletes
 * its subscribers in small pages. Campaigns and runs stay. Throws `not_found`.
 */
export async function removeSite(app: App, actor: Actor, input: { siteId: string }): Promise<void> {
  const { siteId } = input;
  await inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await markSiteRemoved(tx, actor.tenantId, siteId))) {
      throw appError("not_found", { message: `There is no site ${siteId}.` });
    }
    await recordAuditEvent(tx, actor, "site.removed", { siteId });
  });
}

/**
 * Restores a site that was removed within the last seven days, with its subscribers. Does `alongside` in the same
 * transaction. Throws `not_found`.
 */
export async function restoreSite(
  app: App,
  actor: Actor,
  input: { siteId: string },
  alongside: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { siteId } = input;
  await inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await unmarkSiteRemoved(tx, actor.tenantId, siteId))) {
      const message = `There is no site ${siteId} that was removed within ${restoreDays} days.`;
      throw appError("not_found", { message });
    }
    await alongside(tx);
    await recordAuditEvent(tx, actor, "site.restored", { siteId });
  });
}
