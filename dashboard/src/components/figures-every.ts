import type { CampaignRow } from "../api/calls.ts";

/**
 * Returns how often the figures of these campaigns are read again, because there is no event for each message and
 * click.
 */
export function figuresEveryMs(shown: CampaignRow[] = []): number {
  return shown.some(({ status }) => status === "sending") ? 5_000 : 60_000;
}
