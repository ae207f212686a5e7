import { Box, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { use } from "react";
import { Brand, Icon, type IconName } from "../components/icon.tsx";
import { ButtonLink, SideLink } from "../components/links.tsx";
import { type CurrentSite, CurrentSiteContext } from "./session.tsx";
import classes from "./side-bar.module.css";
import { SiteSwitch } from "./site-switch.tsx";
import { UserMenu } from "./user-menu.tsx";

/** The navigation: brand, site, pages, user. */
export function SideBar() {
  const currentSite = use(CurrentSiteContext);
  return (
    <Stack className={classes.bar} gap="md">
      <Box visibleFrom="sm" px={6} pt={4}>
        <Link to="/" className={classes.brand}>
          <Brand />
          <Text fw={650} size="lg" c="var(--mantine-color-text)">
            Pressbell
          </Text>
        </Link>
      </Box>
      <SiteSwitch />
      {currentSite !== null && <Pages currentSite={currentSite} />}
      <UserMenu />
    </Stack>
  );
}

const pages = [
  { to: "/sites/$siteId", label: "Overview", icon: "overview" },
  { to: "/sites/$siteId/campaigns", label: "Campaigns", icon: "campaigns" },
  { to: "/sites/$siteId/feeds", label: "Feeds", icon: "feed" },
  { to: "/sites/$siteId/subscribers", label: "Subscribers", icon: "readers" },
  { to: "/sites/$siteId/integrations", label: "Integrations", icon: "integrations" },
  { to: "/sites/$siteId/members", label: "Members", icon: "members" },
  { to: "/sites/$siteId/settings", label: "Settings", icon: "settings" },
] as const satisfies { to: string; label: string; icon: IconName }[];

function Pages({ currentSite: { siteId, canEdit } }: { currentSite: CurrentSite }) {
  return (
    <Box component="nav" aria-label="Pages" flex={1}>
      {canEdit && (
        <ButtonLink
          to="/sites/$siteId/compose"
          params={{ siteId }}
          fullWidth
          mb="md"
          leftSection={<Icon name="compose" />}
          data-testid="compose"
        >
          Compose
        </ButtonLink>
      )}
      <Stack gap={2} component="ul" className={classes.pages}>
        {pages.map(({ to, label, icon }) => (
          <li key={to}>
            <SideLink
              to={to}
              params={{ siteId }}
              activeOptions={{ exact: to === "/sites/$siteId" }}
              className={classes.page}
              label={label}
              leftSection={
                <Group component="span">
                  <Icon name={icon} />
                </Group>
              }
            />
          </li>
        ))}
      </Stack>
    </Box>
  );
}
