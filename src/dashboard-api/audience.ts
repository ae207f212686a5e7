import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { countAudienceOf } from "../campaigns/correction.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { hasSubscribers } from "../subscribers/queries.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { countAtMost, devicesOfSite, lanesOfSite, topicsOfSite } from "./queries.ts";

const audienceQuery = z.strictObject({
  topicIds: z
    .string("must be given once")
    .transform((list) => list.split(",").filter((id) => id !== ""))
    .pipe(z.array(z.uuid("must be a comma list of topic ids")))
    .default([]),
  corrects: z.uuid("must be the id of a campaign").optional(),
});

/** The size of an audience; `exact` false: there are more. */
export type AudienceSize = { audience: number; exact: boolean };

/** How many readers a campaign with these topics would reach now; with `corrects` as the correction of another. Throws `not_found` and `validation_failed`. */
export async function countAudience(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown },
): Promise<AudienceSize> {
  await findSite(app, actor, input.siteId);
  const { topicIds, corrects = null } = parseInput(audienceQuery, input.query);
  const campaign = { tenantId: actor.tenantId, siteId: input.siteId, topicIds, corrects };
  const counted = await countAudienceOf(app.db, campaign, countAtMost + 1);
  return { audience: Math.min(counted, countAtMost), exact: counted <= countAtMost };
}

export type Subscribers = {
  /** Nobody at all: no reader, reachable or not, and no test device. */
  isEmpty: boolean;
  /** What browsers subscribe to, base64url. */
  vapidPublicKey: string;
  reachable: number;
  exact: boolean;
  lanes: { lane: string; n: number }[];
  topics: { topicId: string; name: string; n: number }[];
  devices: { deviceId: number; label: string | null; lane: string; createdAt: string }[];
};

/** Who can be reached: readers by push service and by topic, and the test devices. Throws `not_found`. */
export async function readSubscribers(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Subscribers> {
  const site = await findSite(app, actor, siteId);
  const lanes = await lanesOfSite(app.db, siteId);
  const reachable = lanes.reduce((sum, { n }) => sum + n, 0);
  const devices = await devicesOfSite(app.db, siteId);
  return {
    isEmpty: !(await hasSubscribers(app.db, siteId)),
    vapidPublicKey: site.vapidPublicKey.toString("base64url"),
    reachable,
    exact: reachable < countAtMost,
    lanes,
    topics: await topicsOfSite(app.db, siteId),
    devices: devices.map((device) => ({ ...device, createdAt: device.createdAt.toISOString() })),
  };
}

/** The site if it is the actor's tenant's. Throws `not_found`. */
export async function findSite(app: App, { tenantId }: Actor, siteId: string) {
  const site = isId(siteId) ? await siteOfTenant(app.db, tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: "There is no such site in this tenant." });
  return site;
}
