import type { Client } from "../client/client.ts";
import { frontPage } from "./front-page.ts";
import { articlePage, story } from "./newspaper.ts";
import type { ReadersSite } from "./readers-site.ts";
import type { Service } from "./service.ts";

/**
 * Installs Pressbell on the readers' site as a publisher does, with the output of `pressbell site snippet`. The front
 * page can then send the story. It does so as a campaign in manual mode, because the story's address on this site is
 * not https.
 */
export async function installForReaders(
  readersSite: ReadersSite,
  service: Service,
  api: Client,
  siteId: string,
): Promise<void> {
  const printed = await service.command(["site", "snippet", "--site", siteId, "--json"]);
  const { page, workerFile, worker } = JSON.parse(printed) as Record<"page" | "workerFile" | "worker", string>;
  const elements = `${service.url}/sdk/elements.js`;
  const { path: articlePath, title, summary } = story;
  const campaign = { siteId, mode: "manual" as const, url: readersSite.url + articlePath, title, body: summary };
  readersSite.install({
    files: {
      "/": frontPage({ snippet: page, elements, articlePath, headline: title, summary }),
      [articlePath]: articlePage(readersSite.url, story, page),
      [workerFile]: worker,
    },
    async nudge() {
      const { campaignId } = await api.campaigns.create(campaign);
      return (await api.campaigns.send(campaignId)).runId;
    },
    readRun: (runId) => api.runs.read(runId),
  });
}
