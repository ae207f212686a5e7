import { frontPage } from "./front-page.ts";
import { articlePage, story } from "./newspaper.ts";
import type { Publisher } from "./publisher.ts";
import type { ReadersSite } from "./readers-site.ts";
import type { Service } from "./service.ts";

/**
 * Installs Pressbell on the readers' site as a publisher does, with what `pressbell site snippet` prints, and lets its
 * page send the story: as a campaign in manual mode, since the story's address here is no https one.
 */
export async function installForReaders(
  readersSite: ReadersSite,
  service: Service,
  publisher: Publisher,
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
      const made = await publisher.post<{ campaignId: string }>(`/v1/tenants/${tenantId}/campaigns`, campaign);
      return (await publisher.post<{ runId: string }>(`/v1/campaigns/${made.campaignId}/send`)).runId;
    },
    readRun: (runId) => publisher.get(`/v1/runs/${runId}`),
  });
}
