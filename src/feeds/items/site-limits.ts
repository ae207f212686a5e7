import type { App } from "../../app.ts";
import { type Reason, reasonOf } from "../../decision/checks/check.ts";
import { siteChecks } from "../../decision/checks/site-checks.ts";
import { emptyArticle } from "../../decision/page/article.ts";
import { readSiteFacts } from "../../decision/queries.ts";
import { everybody } from "../../subscribers/audience.ts";

/** The codes of the site's limits. */
export const limitCodes = new Set(["quiet_hours", "daily_limit", "min_gap"]);

/** Returns whether a reason of the content decision is a limit of the site. Such a limit passes by itself. */
export function isLimit({ code }: Pick<Reason, "code">): boolean {
  return limitCodes.has(code);
}

/**
 * Returns the limits of a site that a send now would exceed, checked as the content decision does. Reads no page, so
 * that an item that waits for limits costs the site no requests.
 */
export async function reachedLimits(app: App, { siteId, url }: { siteId: string; url: string }): Promise<Reason[]> {
  const now = app.now();
  const site =
    (await readSiteFacts(app.db, {
      siteId,
      ...everybody,
      addresses: [],
      imageUrl: null,
      countAtMost: 0,
      now,
    })) ?? null;
  const given = { title: null, body: false, imageUrl: false };
  const page = {
    fetched: { kind: "page", status: 200, isHtml: true },
    article: emptyArticle(url),
    signals: null,
  } as const;
  const facts = { ...page, given, freshnessHours: 0, site, expected: null, visitsWon: null, strict: true };
  return siteChecks.filter(isLimit).flatMap(({ code, find }) => {
    const finding = find(facts, now);
    return finding === null ? [] : [reasonOf(code, finding)];
  });
}
