import { Box, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, use } from "react";
import { Brand, Icon } from "../components/icon.tsx";
import { ButtonLink, SideLink } from "../components/links.tsx";
import { words } from "../words/words.ts";
import { type CurrentSite, CurrentSiteContext } from "./session.tsx";
import { FindButton } from "./shortcuts.tsx";
import classes from "./side-bar.module.css";
import { sitePagesOf } from "./site-pages.ts";
import { SiteSwitch } from "./site-switch.tsx";

/** The menu loads after the page, because nobody opens it before. */
const UserMenu = lazy(() => import("./user-menu.tsx"));

/** The navigation: the brand, the site, its pages and the user. */
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
      <FindButton />
      {currentSite !== null && <Pages currentSite={currentSite} />}
      <Suspense fallback={<Box h={36} />}>
        <UserMenu />
      </Suspense>
    </Stack>
  );
}

function Pages({ currentSite }: { currentSite: CurrentSite }) {
  const { siteId, canEdit } = currentSite;
  return (
    <Box component="nav" aria-label={words.layout.pages} flex={1}>
      {canEdit && (
        <ButtonLink
          to="/sites/$siteId/compose"
          params={{ siteId }}
          fullWidth
          mb="md"
          leftSection={<Icon name="compose" />}
          data-testid="compose"
        >
          {words.layout.compose}
        </ButtonLink>
      )}
      <Stack gap={2} component="ul" className={classes.pages}>
        {sitePagesOf(currentSite).map(({ to, name, icon }) => (
          <li key={to}>
            <SideLink
              to={to}
              params={{ siteId }}
              activeOptions={{ exact: to === "/sites/$siteId" }}
              className={classes.page}
              label={words.layout[name]}
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
