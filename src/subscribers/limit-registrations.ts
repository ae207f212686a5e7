import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { publicBase } from "../config.ts";
import type { Tx } from "../db/pool.ts";
import { AppError, appError } from "../errors.ts";
import { queueEmail } from "../mail/queue-email.ts";
import { bucketOf, bucketOfAddress } from "../rate-limits/count-requests.ts";
import { addressRegistrationLimit, registrationLimit } from "../rate-limits/limits.ts";
import { incrementBucket } from "../rate-limits/queries.ts";
import {
  type LimitedSite,
  ownersOfTenant,
  readRegistrationHour,
  recordWarning,
  renewQuota,
} from "./registration-queries.ts";

/** A reader's browser as the limits see it: the site where it registers, and its IP address. */
type Registering = { siteId: string; address: string };

/**
 * Checks a new subscriber of a site, in the transaction that has inserted it, and counts it for its address. Throws
 * `rate_limited` if the site is over its limit or the address is over its share of that limit. A refused registration
 * is not counted.
 */
export async function enforceRegistrationLimit(app: App, tx: Tx, { siteId, address }: Registering): Promise<void> {
  const { isOver, quota, resetSeconds } = await readRegistrationHour(tx, siteId);
  if (isOver) {
    throw appError("rate_limited", {
      message: "Too many readers have subscribed to this site within an hour. Subscribe again later.",
      limit: registrationLimit.name,
      retryAfterSeconds: resetSeconds,
    });
  }
  const { name, shareOfQuota, windowSeconds } = addressRegistrationLimit;
  // The last lock that the transaction shares with others. From here, registrations from one address wait for each
  // other.
  const bucket = bucketOf(app, addressRegistrationLimit, `${siteId} ${bucketOfAddress(address)}`);
  const counted = await incrementBucket(tx, bucket, windowSeconds);
  if (counted.used <= Math.max(1, Math.floor(quota * shareOfQuota))) return;
  throw appError("rate_limited", {
    message: "Too many readers have subscribed to this site from your network within an hour. Subscribe again later.",
    limit: name,
    retryAfterSeconds: counted.resetSeconds,
  });
}

/**
 * Runs `store`, which calls `enforceRegistrationLimit`. If a limit is exceeded, renews the site's quota if it is old
 * and runs `store` once more. Warns the owners if the site's own limit is used up.
 */
export async function withinRegistrationLimit<Result>(
  app: App,
  siteId: string,
  store: () => Promise<Result>,
): Promise<Result> {
  for (let isRenewed = false; ; isRenewed = true) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "rate_limited") throw error;
      if (!isRenewed && (await renewQuota(app.db, siteId))) continue;
      if (error.details.limit === registrationLimit.name) await warnOfRegistrations(app, siteId);
      throw error;
    }
  }
}

/**
 * Warns the owners of a site that refused a registration because of its limit, at most once a day. Warns by e-mail if
 * SMTP_URL is set, on the dashboard's overview, in the log, and with an audit event.
 */
async function warnOfRegistrations(app: App, siteId: string): Promise<void> {
  const site = await app.db.transaction().execute(async (tx) => {
    const limited = await recordWarning(tx, siteId);
    if (limited === undefined) return undefined;
    const { tenantId, quota } = limited;
    const actor = { kind: "reader", tenantId } as const;
    await recordAuditEvent(tx, actor, "registrations.limited", { siteId, details: { anHour: quota } });
    const email = warningEmail(limited, `${publicBase(app.config, "")}/sites/${siteId}/subscribers`);
    for (const to of await ownersOfTenant(tx, tenantId)) await queueEmail(app, tx, { to, ...email });
    return limited;
  });
  if (site !== undefined) app.log.warn({ siteId, quota: site.quota }, "a site refuses registrations over its limit");
}

function warningEmail({ name, quota }: LimitedSite, link: string): { subject: string; text: string } {
  const lines = [
    `More than ${quota.toLocaleString("en")} new readers subscribed to ${name} within an hour. Further ones are refused until an hour has fewer.`,
    "If you have not just asked many readers to subscribe, somebody registers readers that do not exist. They do not count for your plan for a day. Look at the hours, and delete the false ones here:",
    link,
    "This e-mail comes at most once a day.",
  ];
  return { subject: `Unusually many new readers at ${name}`, text: `${lines.join("\n\n")}\n` };
}
