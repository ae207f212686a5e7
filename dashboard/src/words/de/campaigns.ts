import type { campaigns as english } from "../en/campaigns.ts";

export const campaigns: typeof english = {
  exportCsv: "CSV exportieren",
  campaigns: "Kampagnen",
  showEarlierOnes: "Frühere anzeigen",
  searchTitleOrAddress: "Titel oder Adresse suchen",
  status: "Status",
  everyStatus: "Jeder Status",
  nudge: "Push",
  reached: "Erreicht",
  when: "Wann",
  reachedOf: ({ audience, share }) => `von ${audience} · ${share}`,
  nothingFits: "Nichts passt",
  noCampaignHasThisStatus: "Keine Kampagne hat diesen Status und enthält diesen Text. Suchen Sie nach weniger.",
  composeANudge: "Push schreiben",
  noCampaignsYet: "Noch keine Kampagnen",
  whatYouComposeHereAnd: "Was Sie hier schreiben und was Ihr CMS über die API erstellt, erscheint in dieser Liste.",
};
