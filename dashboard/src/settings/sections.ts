/** The sections of the settings, in the order of their navigation, as their addresses name them. */
export const sections = [
  ...(["site", "stories", "classes", "prompt", "notifications"] as const),
  ...(["readers", "welcome", "win-back", "drill", "publisher"] as const),
];
export type Section = (typeof sections)[number];

/** The sections that the user sees: that of the publisher is for members of the whole publisher. */
export function sectionsOf({ hasPublisherRole }: { hasPublisherRole: boolean }): Section[] {
  return sections.filter((section) => hasPublisherRole || section !== "publisher");
}

export const settingsRoute = "/app/sites/$siteId/settings/$section";
