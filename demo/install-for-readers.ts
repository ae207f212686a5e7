import type { ApiClient } from "./api-client.ts";
import { frontPage } from "./front-page.ts";
import { articlePage, story } from "./newspaper.ts";
import type { ReadersSite } from "./readers-site.ts";
import type { Service } from "./service.ts";

/**
 * Installs Pressbell on the readers' site as a publisher does, with the output of `pressbell site snippet`. The front
 * page can
 * then send the story, as a campaign in manual mode: the story's address on this site is not https.
 */
export async function installForReaders(
  readersSite: ReadersSite,
  service: Service,
  api: ApiClient,
  site: { tenantId: string; siteId: string },
): Promise<void> {
  const { tenantId, siteId } = site;
  const printed = await service.command(["site", "snippet", "--site", siteId, "--json"]);
  const { page, workerFile, worker } = JSON.parse(printed) as Record<"page" | "workerFile" | "worker", string>;
  const { path: articlePath, title, summary } = story;
  const campaign = { siteId, mode: "manual", url: readersSite.url + articlePath, title, body: summary };
  readersSite.install({
    files: {
      "/": frontPage({ snippet: page, articlePath, headline: title, summary }),
      [articlePath]: articlePage(readersSite.url, story, page),
      [workerFile]: worker,
    },
    async nudge() {
      const { campaignId } = await api.post<{ campaignId: string }>(`/v1/tenants/${tenantId}/campaigns`, campaign);
      return (await api.post<{ runId: string }>(`/v1/campaigns/${campaignId}/send`)).runId;
    },
    readRun: (runId) => api.get(`/v1/runs/${runId}`),
  });
}
