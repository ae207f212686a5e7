import { z } from "zod";
import type { Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { inTenant } from "../../db/pool.ts";
import { appError, invalidFields } from "../../errors.ts";
import { faults, zodText } from "../../faults.ts";
import { isId, newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import type { Site } from "../../tenants/sites/site.ts";
import { checkSubscription } from "../subscription.ts";
import { deleteDeviceOfMember, deleteOldestDevices, devicesOfMember, upsertDevice } from "./queries.ts";

/**
 * The most devices that a member has at a site. A browser that was reset leaves a device behind until its push service
 * says so.
 */
export const devicesKept = 10;

const deviceInput = z.strictObject(
  { subscription: z.looseObject({}, zodText(faults.not_a_subscription())) },
  expects("a JSON object"),
);

/**
 * The key that a browser subscribes with (`vapidPublicKey`, base64url), and the member's devices. Times: ISO 8601,
 * UTC.
 */
export type EditorDevices = { vapidPublicKey: string; devices: { deviceId: string; createdAt: string }[] };

/** Returns the member's devices that get suggested stories of a site. Throws `not_found`. */
export async function readEditorDevices(
  app: App,
  actor: Member,
  { siteId }: { siteId: string },
): Promise<EditorDevices> {
  const site = await findSite(app, actor, siteId);
  const devices = await devicesOfMember(app.db, { ...actor, siteId });
  return {
    vapidPublicKey: site.vapidPublicKey.toString("base64url"),
    devices: devices.map(({ id, createdAt }) => ({ deviceId: id, createdAt: createdAt.toISOString() })),
  };
}

/**
 * Adds a device of the member, or renews it. The device gets only suggested stories: it is neither a reader nor a test
 * device, and no statistic counts it. `body`: `subscription`, the browser's PushSubscription. Throws `not_found` and
 * `validation_failed`.
 */
export async function addEditorDevice(
  app: App,
  actor: Member,
  input: { siteId: string; body: unknown },
): Promise<{ deviceId: string }> {
  await findSite(app, actor, input.siteId);
  const { subscription: given } = parseInput(deviceInput, input.body);
  const rules = { pushServices: app.config.PUSH_SERVICES, topicIds: new Set<string>() };
  const { subscription, faults: wrong } = checkSubscription(given, undefined, rules);
  if (subscription === undefined)
    throw invalidFields(wrong.map((one) => ({ ...one, path: `/subscription${one.path}` })));
  const owner = { ...actor, siteId: input.siteId };
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const deviceId = await upsertDevice(tx, newId(), owner, subscription);
    await deleteOldestDevices(tx, owner, devicesKept);
    return { deviceId };
  });
}

/** Removes a device of the member. Throws `not_found`. */
export async function removeEditorDevice(
  app: App,
  actor: Member,
  { siteId, deviceId }: { siteId: string; deviceId: string },
): Promise<void> {
  await findSite(app, actor, siteId);
  if (!isId(deviceId) || !(await deleteDeviceOfMember(app.db, { ...actor, siteId }, deviceId)))
    throw appError("not_found", { message: "You have no such device at this site." });
}

async function findSite(app: App, actor: Member, siteId: string): Promise<Site> {
  const site = isId(siteId) ? await siteOfTenant(app.db, actor.tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
  return site;
}
