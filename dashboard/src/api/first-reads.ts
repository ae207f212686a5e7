import { hasUnsaved } from "../compose/unsaved.ts";
import { nameOf } from "../pages.ts";
import { loadSaidWords } from "../words/said-words.ts";
import { addressOf, api, tenantPath } from "./address.ts";
import type { CampaignView, Start } from "./calls.ts";
import { type Answer, readAhead } from "./joined-reads.ts";

/**
 * What each page reads first, below the path of its publisher. SITE and ITEM stand for the ids in the page's path.
 * test/browsers/dashboard-requests.test.ts finds what is needless. The page itself reads what is missing.
 */
const firstReads: Record<string, string[]> = {
  overview: [
    ...["/sites/SITE/overview", "/sites/SITE/period?days=30", "/sites/SITE/send-frequency", "/sites/SITE"],
    "/sites/SITE/holdouts",
  ],
  compose: [
    ...["/sites/SITE/autosaved-drafts", "/sites/SITE/follows?search=&limit=12", "/sites/SITE/newest-stories"],
    ...["/sites/SITE/audience?topicIds=&class=normal", "/sites/SITE/overview", "/sites/SITE", "/sites?limit=100"],
    ...["/sites/SITE/subscribers", "/sites/SITE/segments"],
  ],
  campaigns: ["/sites/SITE/campaign-choices", "/campaigns?siteId=SITE&limit=25"],
  campaign: [
    ...["/campaigns/ITEM", "/campaigns/ITEM/send-facts", "/campaigns/ITEM/updates"],
    ...["/sites/SITE/segments", "/sites/SITE/subscribers", "/sites/SITE"],
  ],
  calendar: ["/sites/SITE/calendar"],
  screen: ["/sites/SITE/screen"],
  subscribers: [
    ...["/sites/SITE/subscribers", "/sites/SITE/segments", "/sites/SITE/follows?search=&limit=12"],
    ...["/sites/SITE/registrations", "/sites/SITE/refused-subscribers", "/sites/SITE/unseen-subscribers"],
  ],
  feeds: ["/sites/SITE/feeds"],
  "settings/site": ["/sites/SITE"],
  "settings/stories": ["/sites/SITE"],
  "settings/classes": ["/sites/SITE"],
  "settings/prompt": ["/sites/SITE/readers"],
  "settings/notifications": ["/sites/SITE/readers"],
  "settings/readers": ["/sites/SITE/readers"],
};

/**
 * Reads what the page at a path shows, before its code is there: over a slow line, the code takes seconds. The page
 * gets the answers when it reads the same URLs.
 */
export async function beginToRead(path: string): Promise<void> {
  const started = (await readAlone(`${api}/start`)) as Start | undefined;
  const [, , itsSite, , item = ""] = path.split("/");
  const siteId = itsSite ?? started?.tenants.flatMap(({ sites }) => sites)[0]?.siteId;
  const tenant = started?.tenants.find(({ sites }) => sites.some((site) => site.siteId === siteId));
  if (tenant === undefined || siteId === undefined) return;
  const tenantApi = tenantPath(tenant.tenantId);
  const name = nameOf(path);
  const answers = readsOf(name, item).map((read) =>
    readAhead(addressOf(tenantApi + read.replace("SITE", siteId).replace("ITEM", item))),
  );
  if (name !== "campaign") return;
  // Which run it has is in the answer of the campaign.
  const campaign = (await answers[0])?.body as CampaignView | undefined;
  if (campaign?.runId) await readAlone(`${tenantApi}/runs/${campaign.runId}`);
}

/** Returns what the page of this name reads first. `item`: the last part of its path. */
function readsOf(name: string, item: string): string[] {
  const reads = firstReads[name === "settings" ? `${name}/${item}` : name];
  // A filter or another period changes what a page reads. What Compose reads of the site does not depend on the draft.
  if (reads === undefined || (location.search !== "" && name !== "compose")) return [];
  // Compose looks for texts of this browser first: the drafts of the service must be newer than that look.
  const isKnown = (read: string) => read !== "/sites/SITE/autosaved-drafts" || !hasUnsaved();
  return [...reads.filter(isKnown), "/undo-windows"];
}

/** Reads a path ahead in a request of its own. Returns the body, or undefined after an error. */
async function readAlone(path: string): Promise<unknown> {
  const url = addressOf(path);
  // After an error, the page reads the path again, and shows the error.
  return (
    await readAhead(
      url,
      fetchAnswer(url).catch(() => null),
    )
  )?.body;
}

async function fetchAnswer(url: string): Promise<Answer> {
  const response = await fetch(url);
  const text = await response.text();
  await loadSaidWords(text);
  return response.ok ? { body: JSON.parse(text) } : null;
}
