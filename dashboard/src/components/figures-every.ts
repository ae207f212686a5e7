import type { CampaignRow } from "../api/calls.ts";

/** How often the figures of these campaigns are read again: no event tells of each message and each click. */
export function figuresEveryMs(shown: CampaignRow[] = []): number {
  return shown.some(({ status }) => status === "sending") ? 5_000 : 60_000;
}
