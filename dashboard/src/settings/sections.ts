/** The sections of the settings, in the order of their navigation, as their addresses name them. */
export const sections = [
  ...(["site", "stories", "classes", "prompt", "notifications"] as const),
  ...(["readers", "welcome", "win-back", "drill", "publisher"] as const),
];
export type Section = (typeof sections)[number];

export const isSection = (name: string): name is Section => sections.some((section) => section === name);

export const settingsRoute = "/app/sites/$siteId/settings/$section";
