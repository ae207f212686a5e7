import { withWords } from "./words/words.ts";

/** Loads the frame of the pages after the sign-in. */
export const loadLayout = withWords(() => import("./layout/app-layout.tsx"), "layout", "refusals");

/** The functions that load each page after the sign-in, with its words. */
export const pages = {
  account: withWords(() => import("./pages/account.tsx"), "account", "pages"),
  overview: withWords(() => import("./pages/overview.tsx"), "overview", "pages"),
  calendar: withWords(() => import("./pages/calendar.tsx"), "calendar", "compose"),
  screen: withWords(() => import("./pages/screen.tsx"), "pages"),
  compose: withWords(() => import("./pages/compose.tsx"), "compose", "pages"),
  campaigns: withWords(() => import("./pages/campaigns.tsx"), "campaigns"),
  campaign: withWords(() => import("./pages/campaign.tsx"), "campaign", "compose", "pages"),
  subscribers: withWords(() => import("./pages/subscribers.tsx"), "subscribers", "compose", "pages"),
  feeds: withWords(() => import("./pages/feeds.tsx"), "feeds", "compose", "pages"),
  feed: withWords(() => import("./pages/feed.tsx"), "feeds", "compose"),
  integrations: withWords(() => import("./pages/integrations.tsx"), "integrations", "pages"),
  members: withWords(() => import("./pages/members.tsx"), "members", "pages"),
  settings: withWords(() => import("./pages/settings.tsx"), "settings", "prompts", "pages", "agreement", "compose"),
  auditLog: withWords(() => import("./pages/audit-log.tsx"), "audit", "pages"),
};

/** Returns the name of the page at a path of the dashboard, as the router finds it. */
export function nameOf(path: string): string {
  const [, top, , section = "overview", part = ""] = path.split("/");
  if (top === "account") return top;
  if (part === "audit-log") return "auditLog";
  // A plural section with a further part is the page of one item, such as one campaign or one feed.
  return part !== "" && section !== "settings" ? section.slice(0, -1) : section;
}

/** Requests the scripts and words of the page at a path before the router has loaded. */
export function beginToLoadPage(path: string): void {
  const load = Object.entries(pages).find(([name]) => name === nameOf(path))?.[1];
  // The router loads them again, and handles failures.
  for (const begin of [loadLayout, load]) begin?.().catch(() => {});
}
