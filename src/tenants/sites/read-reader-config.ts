import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { readerSite } from "./queries.ts";
import { type LinkMode, type Prompt, promptOf } from "./reader-settings.ts";

/** The public configuration of a site for its page script. `vapidPublicKey`: base64url. */
export type ReaderConfig = {
  tenantId: string;
  siteId: string;
  name: string;
  vapidPublicKey: string;
  topics: { topicId: string; name: string }[];
  prompt: Prompt;
  linkMode: LinkMode;
};

/** Returns the configuration of a site for its page script. Throws `not_found` if the tenant has no such site. */
export async function readReaderConfig(app: App, input: { siteId: string; tenantId: unknown }): Promise<ReaderConfig> {
  const site = await readerSite(app.db, input.siteId);
  if (site === undefined || site.tenantId !== String(input.tenantId).toLowerCase()) {
    throw appError("not_found", { message: "There is no such site. Check the install snippet." });
  }
  const { tenantId, name, topics, linkMode } = site;
  const vapidPublicKey = site.vapidPublicKey.toString("base64url");
  return { tenantId, siteId: input.siteId, name, vapidPublicKey, topics, prompt: promptOf(site.prompt), linkMode };
}
