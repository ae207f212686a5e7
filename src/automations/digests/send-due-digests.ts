import type { App } from "../../app.ts";
import { defaultTtlSeconds } from "../../campaigns/campaign.ts";
import type { Tx } from "../../db/pool.ts";
import { type PollLoop, startPollLoop } from "../../poll-loop.ts";
import { capOf } from "../../sends/cap-count.ts";
import { lockOpenSite } from "../../sends/gate-queries.ts";
import { siteById } from "../../tenants/sites/queries.ts";
import type { Site } from "../../tenants/sites/site.ts";
import { startAutomation } from "../start-automation.ts";
import { type DueGroup, headlinesOf, siteWithDueDigests, takeDueGroups } from "./queries.ts";

const lookEveryMs = 1_000;

/** The most headlines that a digest names. It gives the number of the others. */
const namedHeadlines = 3;

/** Starts the poll loop that sends digests; any number of processes may run one. */
export function startDigestPoller(app: App): PollLoop {
  return startPollLoop({
    round: async () => {
      while ((await sendDueDigests(app)) > 0);
    },
    everyMs: lookEveryMs,
    onFault: (error) => app.log.warn({ err: error }, "digests could not be sent; will retry"),
  });
}

/**
 * Starts the digests of one site that are due by the database's clock: a run for each list of suppressed headlines,
 * with the readers who have that list. The transaction that starts the run also takes the headlines, so that a reader
 * gets each headline once. If a gate is shut, digests wait. No run has more readers than the plan allows. Returns the
 * number of readers with a due digest, including readers in quiet hours.
 */
export async function sendDueDigests(app: App): Promise<number> {
  return app.db.transaction().execute(async (tx) => {
    const plans = Object.keys(app.config.PLANS);
    const siteId = await siteWithDueDigests(tx, plans);
    const plan = siteId && (await lockOpenSite(tx, siteId, plans));
    const site = plan && (await siteById(tx, siteId));
    if (!site) return 0;
    const { groups, readers } = await takeDueGroups(tx, site.id, capOf(app, plan));
    for (const group of groups) await startDigest(app, tx, site, group);
    return readers;
  });
}

async function startDigest(app: App, tx: Tx, site: Site, { suppressed, readers }: DueGroup): Promise<void> {
  const headlines = await headlinesOf(tx, site.id, suppressed);
  if (headlines.length === 0) return;
  const { runId } = await startAutomation(app, tx, site, {
    kind: "digest",
    nudge: { ...digestNudge(site, headlines), imageUrl: null },
    audience: { of: "list", subscriberIds: readers },
    ttlSeconds: defaultTtlSeconds,
    expectedAudience: readers.length,
  });
  app.log.info({ siteId: site.id, runId, readers: readers.length, headlines: headlines.length }, "a digest was sent");
}

/**
 * Returns the text of a digest: the site's name and the newest headlines. Pressbell adds no words of its own, so the
 * text is in the site's language.
 */
export function digestNudge(
  site: Pick<Site, "name" | "url" | "preferencesUrl">,
  headlines: string[],
): { title: string; body: string; url: string } {
  const named = headlines.slice(0, namedHeadlines).map((headline) => `• ${headline}`);
  const others = headlines.length - named.length;
  const body = [...named, ...(others > 0 ? [`+ ${others}`] : [])].join("\n");
  return { title: site.name, body, url: site.preferencesUrl ?? site.url };
}
