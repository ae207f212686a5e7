import type { IconName } from "../components/icon.tsx";

/** The pages of a site, in the order of the navigation. `key`: after `g` it opens the page. */
export const sitePages = [
  { to: "/sites/$siteId", label: "Overview", icon: "overview", key: "o" },
  { to: "/sites/$siteId/campaigns", label: "Campaigns", icon: "campaigns", key: "n" },
  { to: "/sites/$siteId/calendar", label: "Calendar", icon: "calendar", key: "k" },
  { to: "/sites/$siteId/feeds", label: "Feeds", icon: "feed", key: "f" },
  { to: "/sites/$siteId/subscribers", label: "Subscribers", icon: "readers", key: "s" },
  { to: "/sites/$siteId/integrations", label: "Integrations", icon: "integrations", key: "i" },
  { to: "/sites/$siteId/members", label: "Members", icon: "members", key: "m" },
  { to: "/sites/$siteId/settings", label: "Settings", icon: "settings", key: "e" },
] as const satisfies { to: string; label: string; icon: IconName; key: string }[];
