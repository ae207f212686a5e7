import { Box, Text } from "@mantine/core";
import { lazy, Suspense, use } from "react";
import { CurrentSiteContext, useStart } from "./session.tsx";

const SiteMenu = lazy(() => import("./site-menu.tsx"));

/** The current site. With several sites, it is a menu to switch. */
export function SiteSwitch() {
  const { data } = useStart();
  const currentSite = use(CurrentSiteContext);
  if (currentSite === null || data === undefined) return null;
  const isOnlyOne = data.tenants.flatMap(({ sites }) => sites).length === 1;
  const names = (
    <span>
      <Text component="span" display="block" size="sm" fw={600} lh={1.3} truncate dir="auto">
        {currentSite.site.name}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed" lh={1.3} truncate dir="auto">
        {currentSite.tenantName}
      </Text>
    </span>
  );
  if (isOnlyOne)
    return (
      <Text component="div" px={6}>
        {names}
      </Text>
    );
  return (
    <Suspense fallback={<Box h={52} />}>
      <SiteMenu tenants={data.tenants}>{names}</SiteMenu>
    </Suspense>
  );
}
