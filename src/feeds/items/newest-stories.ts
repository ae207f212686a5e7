import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { checkUrl, readAllowHosts } from "../../egress/page/url-guard.ts";
import { knownSite } from "../read-feeds.ts";
import { httpsOf } from "../web-address.ts";
import { newestOfSite } from "./site-queries.ts";
import type { ItemStatus } from "./states.ts";

const storiesAtMost = 8;
const daysBack = 3;

/**
 * A story of a site's feeds, for an editor to choose. `status`: the status of its item. `campaignId`: the item's
 * campaign. `publishedAt`: the date that the feed gives, or the time when the item was found (ISO 8601, UTC).
 * `imageUrl`: the picture that the feed gives.
 */
export type NewestStory = {
  url: string;
  title: string;
  imageUrl: string | null;
  publishedAt: string;
  status: ItemStatus;
  campaignId: string | null;
};

/**
 * Returns the newest stories of the last three days that the feeds of a site have brought, each once. Leaves out
 * stories and pictures whose address Pressbell itself may not fetch: an editor's browser loads them, and the text of a
 * feed must not lead it into the editor's own network. Throws `not_found`.
 */
export async function newestStories(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<{ data: NewestStory[] }> {
  await knownSite(app.db, actor.tenantId, siteId);
  const rules = { allowHosts: readAllowHosts(app.config.ALLOW_HOSTS) };
  const isOpen = (address: string) => checkUrl(address, rules).allowed;
  const found = await newestOfSite(app.db, siteId, { days: daysBack, limit: 4 * storiesAtMost });
  const stories = new Map<string, NewestStory>();
  for (const { url, title, imageUrl, at, status, campaignId } of found) {
    const address = httpsOf(url);
    if (stories.has(address) || !isOpen(address)) continue;
    const picture = imageUrl === null ? null : httpsOf(imageUrl);
    stories.set(address, {
      url: address,
      title: title ?? address,
      status,
      campaignId,
      publishedAt: at.toISOString(),
      imageUrl: picture !== null && isOpen(picture) ? picture : null,
    });
  }
  return { data: [...stories.values()].slice(0, storiesAtMost) };
}
