import { readJson } from "../wire.ts";
import { step } from "./failure.ts";
import type { Snippet } from "./snippet.ts";

/** What the service says of the site. `install` is the text for a reader who has to install the site first. */
export type Settings = {
  name: string;
  vapidPublicKey: string;
  topics: { topicId: string; name: string }[];
  prompt: {
    mode: "soft" | "off";
    delaySeconds: number;
    title: string;
    body: string;
    accept: string;
    later: string;
    repeatDays: number;
    install: string;
  };
};

/** Reads the site's settings when they are first asked for. What failed is tried again the next time. */
export function createSettingsReader({ base, siteId, tenantId }: Snippet): () => Promise<Settings> {
  let read: Promise<Settings> | undefined;
  return () => {
    read ??= step("settings", readJson(`${base}/sdk/sites/${siteId}/config?tenant=${tenantId}`));
    read.catch(() => {
      read = undefined;
    });
    return read;
  };
}
