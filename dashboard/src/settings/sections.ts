/** The sections of the settings, in the order of their navigation. The addresses contain these names. */
export const sections = [
  ...(["site", "stories", "classes", "prompt", "notifications"] as const),
  ...(["readers", "welcome", "win-back", "drill", "publisher"] as const),
];
export type Section = (typeof sections)[number];

/**
 * Returns the sections that the user sees. Only users with a role for the whole publisher see the section of the
 * publisher.
 */
export function sectionsOf({ hasPublisherRole }: { hasPublisherRole: boolean }): Section[] {
  return sections.filter((section) => hasPublisherRole || section !== "publisher");
}

export const settingsRoute = "/app/sites/$siteId/settings/$section";
