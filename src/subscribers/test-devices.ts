import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { lineOfText, parseInput } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { countTestDevices, deleteTestSubscriber, lockTestDevices } from "./test-device-queries.ts";
import { writeTestToken } from "./test-token.ts";

const validForMs = 24 * 60 * 60 * 1_000;

/** The most test devices that a site gets by registration. An import may add more. */
export const maxTestDevices = 200;

const newLink = z.object({ label: lineOfText(80) });

/**
 * Creates a link to the site of the actor's tenant. Each browser that opens it within 24 hours and allows notifications
 * becomes a test device with this label. Throws `not_found` and `validation_failed`.
 */
export async function createTestLink(
  app: App,
  actor: Actor,
  input: { siteId: string; label: string },
): Promise<{ link: string; label: string; expiresAt: string }> {
  const { label } = parseInput(newLink, input);
  const site = isId(input.siteId) ? await siteOfTenant(app.db, actor.tenantId, input.siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${input.siteId}.` });
  const expiresAtMs = Math.floor((app.now() + validForMs) / 1_000) * 1_000;
  const link = new URL(site.url);
  link.hash = `pressbell-test=${writeTestToken(app.secrets, { siteId: site.id, label, expiresAtMs })}`;
  return { link: link.href, label, expiresAt: new Date(expiresAtMs).toISOString() };
}

/**
 * Runs `store`, which registers a browser as a test device in the transaction, and returns its result. Throws
 * `device_limit` if that adds a device beyond `maxTestDevices`. A known device can register again beyond the limit.
 */
export async function withinDeviceLimit<T>(tx: Tx, siteId: string, store: () => Promise<T>): Promise<T> {
  await lockTestDevices(tx, siteId);
  const before = await countTestDevices(tx, siteId);
  const stored = await store();
  const after = await countTestDevices(tx, siteId);
  if (after > before && after > maxTestDevices) throw appError("device_limit");
  return stored;
}

/** Deletes a test device of a site of the actor's tenant. Deletes no other subscriber. Throws `not_found`. */
export async function deleteTestDevice(
  app: App,
  actor: Actor,
  { siteId, deviceId }: { siteId: string; deviceId: string },
): Promise<void> {
  const site = isId(siteId) ? await siteOfTenant(app.db, actor.tenantId, siteId) : undefined;
  const isDeleted =
    site !== undefined && /^\d{1,15}$/.test(deviceId) && (await deleteTestSubscriber(app.db, siteId, Number(deviceId)));
  if (!isDeleted) throw appError("not_found", { message: "There is no such test device at this site." });
}
