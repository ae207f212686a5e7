import type { IconName } from "../components/icon.tsx";
import type { CurrentSite } from "./session.tsx";

/**
 * The pages of a site, in the order of the navigation. `name`: the key of its words. `key`: opens the page after `g`.
 */
const sitePages = [
  { to: "/sites/$siteId", name: "overview", icon: "overview", key: "o" },
  { to: "/sites/$siteId/campaigns", name: "campaigns", icon: "campaigns", key: "n" },
  { to: "/sites/$siteId/calendar", name: "calendar", icon: "calendar", key: "k" },
  { to: "/sites/$siteId/feeds", name: "feeds", icon: "feed", key: "f" },
  { to: "/sites/$siteId/subscribers", name: "subscribers", icon: "readers", key: "s" },
  { to: "/sites/$siteId/integrations", name: "integrations", icon: "integrations", key: "i" },
  { to: "/sites/$siteId/members", name: "members", icon: "members", key: "m" },
  { to: "/sites/$siteId/settings", name: "settings", icon: "settings", key: "e" },
] as const satisfies { to: string; name: string; icon: IconName; key: string }[];

/** Returns the pages that the user sees. Only users with a role for the whole publisher see the members. */
export function sitePagesOf({ hasPublisherRole }: Pick<CurrentSite, "hasPublisherRole">) {
  return hasPublisherRole ? sitePages : sitePages.filter(({ name }) => name !== "members");
}
