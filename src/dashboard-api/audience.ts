import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { readAudience } from "../campaigns/audience.ts";
import { maxTopics } from "../campaigns/campaign-input.ts";
import { faults, zodText } from "../faults.ts";
import { givenOnce, parseInput } from "../input.ts";
import { countAudienceOf, countProvenAudienceOf } from "../runs/audience.ts";
import { countBelowCap } from "../sends/cap-count.ts";
import { shutGatesOf } from "../sends/check-gates.ts";
import type { GateCode } from "../sends/gates.ts";
import { countReachedJointly } from "../sends/second-person.ts";
import { followedKey } from "../subscribers/follows/follow.ts";
import { type Migrated, migratedAt } from "../subscribers/migration-queries.ts";
import { hasSubscribers } from "../subscribers/queries.ts";
import { shareCount } from "../subscribers/share-count.ts";
import { campaignClass } from "../tenants/sites/campaign-classes.ts";
import { siteOfActor } from "../tenants/sites/site-of-actor.ts";
import { devicesOfSite, pushServicesOfSite, topicsOfSite } from "./queries.ts";
import { countLimit } from "./reports/queries.ts";

const audienceQuery = z.strictObject({
  topicIds: givenOnce
    .transform((list) => list.split(",").filter((id) => id !== ""))
    .pipe(
      z
        .array(z.uuid(zodText(faults.wrong_type({ type: "a comma list of topic ids" }))))
        .max(maxTopics, zodText(faults.too_many_topics({ most: maxTopics }))),
    )
    .default([]),
  segment: z.uuid(zodText(faults.not_an_id({ what: "segment" }))).optional(),
  followersOf: followedKey.optional(),
  corrects: z.uuid(zodText(faults.not_an_id({ what: "campaign" }))).optional(),
  class: campaignClass.default("normal"),
});

/**
 * The size of an audience. `exact`: false if there are more than `audience`. `proven`: how many readers count for a
 * plan's cap and for `confirmAbove`. `alone`: how many readers count for `confirmAbove` instead of `proven`, because
 * the same member also sends to others without a second person within an hour of now. `shut`: the gates that would
 * refuse a send now, in their order.
 */
export type AudienceSize = { audience: number; exact: boolean; proven: number; alone?: number; shut: ShutGate[] };

/** A gate that would refuse a send. `scope`: what a pause applies to. */
export type ShutGate = { code: GateCode; scope?: "tenant" | "site" };

/**
 * Counts the subscribers that a campaign of this class, with these topics and this segment, would reach now. With
 * `corrects`, counts for a correction of that campaign. Throws `not_found` and `validation_failed`.
 */
export async function countAudience(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown },
): Promise<AudienceSize> {
  await findSite(app, actor, input.siteId);
  const wanted = { tenantId: actor.tenantId, siteId: input.siteId, segment: null, followersOf: null, corrects: null };
  const campaign = { ...wanted, ...parseInput(audienceQuery, input.query) };
  const { siteId, corrects, class: ofClass } = campaign;
  const to = await readAudience(app.db, campaign);
  const counted = await shareCount(app, siteId, ["audience", to], () => countAudienceOf(app.db, to, countLimit + 1));
  const proven = await shareCount(app, siteId, ["proven", to], () => countProvenAudienceOf(app.db, to, countLimit + 1));
  const refusals = await shutGatesOf(app, { siteId, class: ofClass, corrects }, (audienceCap) => {
    if (audienceCap <= countLimit) return Promise.resolve(counted <= audienceCap ? counted : proven);
    return shareCount(app, siteId, ["cap", to], () => countBelowCap(app.db, to, audienceCap));
  });
  const shut = refusals.map(({ code, details: { scope } }) => ({ code, ...(scope ? { scope } : {}) }) as ShutGate);
  const size = { audience: Math.min(counted, countLimit), exact: counted <= countLimit, proven, shut };
  if (actor.kind !== "user") return size;
  const alone = await shareCount(app, siteId, ["alone", actor.userId, to], () =>
    countReachedJointly(app.db, actor, to, { atMs: null, limit: countLimit + 1 }),
  );
  return alone === undefined ? size : { ...size, alone };
}

export type Subscribers = {
  /** True if the site has no subscribers at all, reachable or not, and no test devices. */
  isEmpty: boolean;
  /** The site's public VAPID key, base64url. */
  vapidPublicKey: string;
  reachable: number;
  exact: boolean;
  pushServices: { pushService: string; n: number }[];
  topics: { topicId: string; name: string; n: number }[];
  /**
   * Readers who came from another push service; null if none are migrated. `former`: how many it had; null if unknown.
   */
  migrateSubscriptions: (Migrated & { former: number | null }) | null;
  devices: { deviceId: number; label: string | null; pushService: string; createdAt: string }[];
};

/** Reads a site's subscribers by push service and by topic, and its test devices. Throws `not_found`. */
export async function readSubscribers(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Subscribers> {
  const site = await findSite(app, actor, siteId);
  const pushServices = await shareCount(app, siteId, ["push services"], () => pushServicesOfSite(app.db, siteId));
  const reachable = pushServices.reduce((sum, { n }) => sum + n, 0);
  const devices = await devicesOfSite(app.db, siteId);
  return {
    isEmpty: !(await hasSubscribers(app.db, siteId)),
    vapidPublicKey: site.vapidPublicKey.toString("base64url"),
    reachable,
    exact: reachable < countLimit,
    pushServices,
    topics: await shareCount(app, siteId, ["topics"], () => topicsOfSite(app.db, siteId)),
    migrateSubscriptions: site.migrateSubscriptions && {
      ...(await migratedAt(app.db, siteId)),
      former: site.migrateSubscriptions.formerReaders,
    },
    devices: devices.map((device) => ({ ...device, createdAt: device.createdAt.toISOString() })),
  };
}

/** Returns a site of the actor's tenant. Throws `not_found`. */
export function findSite(app: App, actor: Actor, siteId: string) {
  return siteOfActor(app.db, actor, siteId);
}
