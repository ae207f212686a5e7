import type { Text } from "../text.ts";

export const campaigns = {
  exportCsv: "Export CSV",
  campaigns: "Campaigns",
  showEarlierOnes: "Show earlier ones",
  searchTitleOrAddress: "Search title or address",
  status: "Status",
  everyStatus: "Every status",
  nudge: "Notification",
  reached: "Reached",
  when: "When",
  reachedOf: ({ audience, share }: { audience: Text; share: Text }) => `of ${audience} · ${share}`,
  nothingFits: "Nothing fits",
  noCampaignHasThisStatus: "No campaign has this status and contains this text. Search for less.",
  composeANudge: "Compose a notification",
  noCampaignsYet: "No campaigns yet",
  whatYouComposeHereAnd: "What you compose here and what your CMS creates over the API appears in this list.",
};
