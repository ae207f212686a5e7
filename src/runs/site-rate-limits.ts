import { sql } from "kysely";
import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import { rows, type Tx } from "../db/pool.ts";
import { queueEmail } from "../mail/queue-email.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { ownersOfTenant } from "../subscribers/registration-queries.ts";
import { rateLimitAdvice } from "./messages.ts";

const lookEveryMs = 1_000;
/**
 * The number of throttles in a row, each after accepted messages, after which a site counts as rate-limited even if
 * no other site sends.
 */
const throttlesOfRateLimit = 2;

/** A site that a push service limits. */
export type RateLimitedSite = { siteId: string; pushService: string; tenantId: string; name: string };

/** Starts a poller that looks each second for sites that a push service limits, and notifies their owners. */
export function startRateLimitPoller(app: App): PollLoop {
  return startPollLoop({
    round: async () => void (await recogniseRateLimits(app)),
    everyMs: lookEveryMs,
    onFault: (error) => app.log.debug({ err: error }, "limits of push services could not be looked for"),
  });
}

/**
 * Finds single sites that push services limit, records them, and returns them. Chrome's service, FCM, takes 1,000
 * messages a minute from a site that users find disruptive, then answers 429. The limit concerns only this site in
 * two cases. In the first, the service has accepted another site's messages since. In the second, no other site is
 * throttled, and this one is throttled repeatedly after accepted messages. The owners get no more than one e-mail for
 * each site and day.
 */
export async function recogniseRateLimits(app: App): Promise<RateLimitedSite[]> {
  return app.db.transaction().execute(async (tx) => {
    const rateLimited = await recordRateLimits(tx);
    for (const site of rateLimited) {
      const { siteId, pushService } = site;
      app.log.warn({ siteId, pushService }, "a push service limits how many messages it takes of a site");
      await emailOwners(app, tx, site);
    }
    return rateLimited;
  });
}

function recordRateLimits(tx: Tx): Promise<RateLimitedSite[]> {
  return rows(
    sql<RateLimitedSite>`update site_push_services l set rate_limited_at = now() from sites s
      where s.id = l.site_id and l.throttled_at > now() - interval '10 minutes'
        and (l.rate_limited_at is null or l.rate_limited_at < l.throttled_at)
        and (exists (select from accepted_keys k
            where k.push_service = l.origin and k.site_id <> l.site_id and k.accepted_at > l.throttled_at
              and not exists (select from site_push_services other where other.site_id = k.site_id and other.origin = k.push_service
                and other.throttled_at > l.throttled_at - interval '1 minute'))
          or (l.throttles >= ${throttlesOfRateLimit} and not exists (select from site_push_services other
            where other.origin = l.origin and other.site_id <> l.site_id
              and other.throttled_at > l.throttled_at - interval '1 minute')))
      returning l.site_id as "siteId", l.origin as "pushService", s.tenant_id as "tenantId", s.name`,
    tx,
  );
}

async function emailOwners(app: App, tx: Tx, { siteId, pushService, tenantId, name }: RateLimitedSite): Promise<void> {
  const told = await rows(
    sql`update site_push_services set rate_limit_notified_at = now()
      where site_id = ${siteId} and origin = ${pushService} and not exists (
        select from site_push_services other where other.site_id = ${siteId} and other.rate_limit_notified_at > now() - interval '1 day')
      returning origin`,
    tx,
  );
  if (told.length === 0) return;
  const lines = [
    `A push service (${pushService}) takes only so many messages a minute from ${name}.`,
    rateLimitAdvice,
    "Readers who were lately on the site get each notification first. Those whose turn does not come before its time to live ends do not get it. See what runs could not send here:",
    `${publicBase(app.config, "")}/sites/${siteId}/campaigns`,
    "This e-mail comes at most once a day.",
  ];
  const email = { subject: `A push service limits ${name}`, text: `${lines.join("\n\n")}\n` };
  for (const to of await ownersOfTenant(tx, tenantId)) await queueEmail(app, tx, { to, ...email });
}
