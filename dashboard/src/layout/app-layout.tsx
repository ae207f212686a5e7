import { AppShell, Box, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Navigate, Outlet, useParams, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, use, useEffect, useRef, useState } from "react";
import { Brand } from "../components/icon.tsx";
import { TextLink } from "../components/links.tsx";
import { EmptyState, ErrorState, LoadingState } from "../components/states.tsx";
import { words } from "../words/words.ts";
import { Leave } from "./leave.tsx";
import { RecentSignIn } from "./recent-sign-in.tsx";
import { ServiceNotice } from "./service-notice.tsx";
import { CurrentSiteContext, currentSiteOf, useStart } from "./session.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { SideBar } from "./side-bar.tsx";
import { useSiteChanges } from "./site-changes.ts";
import { UndoWindows } from "./undo-window.tsx";

/**
 * The layout of all pages for signed-in users. Redirects other users to the sign-in page, which leads back
 * afterwards.
 */
export function AppLayout() {
  const { data, error, refetch } = useStart();
  const { siteId } = useParams({ strict: false });
  const currentSite =
    data?.user &&
    currentSiteOf(data, siteId ?? data.tenants.find(({ sites }) => sites.length > 0)?.sites[0]?.siteId ?? "");
  useSiteChanges(currentSite ?? undefined);
  if (data === undefined)
    return <Bare>{error === null ? <LoadingState /> : <ErrorState error={error} onRetry={refetch} />}</Bare>;
  if (data.needsSetUp) return <Leave to="/set-up" />;
  if (data.user === null) return <ToSignIn />;
  return (
    <CurrentSiteContext value={currentSite ?? null}>
      <RecentSignIn>
        <UndoWindows>
          <Shortcuts>
            <Shell>
              <Outlet />
            </Shell>
          </Shortcuts>
        </UndoWindows>
      </RecentSignIn>
    </CurrentSiteContext>
  );
}

function ToSignIn() {
  const router = useRouter();
  const [here] = useState(() => router.state.location.href);
  return <Leave to={here === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`} />;
}

function Shell({ children }: { children: ReactNode }) {
  const name = use(CurrentSiteContext)?.site.name ?? "Pressbell";
  const [isOpen, { toggle, close }] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the path closes the menu
  useEffect(close, [path]);
  return (
    <AppShell
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        {words.layout.goToTheContent}
      </button>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Link
            to="/"
            aria-label={words.layout.overviewOf({ name })}
            style={{ textDecoration: "none", minWidth: 0, flex: 1 }}
          >
            <Group gap={10} wrap="nowrap">
              <Brand size={26} />
              <Text fw={650} c="var(--mantine-color-text)" truncate>
                {name}
              </Text>
            </Group>
          </Link>
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={words.layout.menu} aria-expanded={isOpen} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <SideBar />
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: "none" }}>
        <Box maw={1120} mx="auto" px={{ base: "md", sm: "xl" }} py={{ base: "lg", sm: 36 }}>
          <ServiceNotice />
          {children}
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

function Bare({ children }: { children: ReactNode }) {
  return (
    <Box component="main" maw={520} mx="auto" p="md" pt={96}>
      {children}
    </Box>
  );
}

/** The layout of a site's pages. Shows an error if the user has no such site. */
export function SiteLayout() {
  const { data } = useStart();
  const { siteId } = useParams({ strict: false });
  if (data !== undefined && currentSiteOf(data, siteId ?? "") !== undefined) return <Outlet />;
  if (data?.tenants.some(({ missing }) => missing !== null)) return <MissingProofs />;
  return (
    <EmptyState
      icon="info"
      title={words.layout.siteNotFoundTitle}
      action={<TextLink to="/">{words.layout.goToYourSites}</TextLink>}
    >
      {words.layout.siteNotFoundHint}
    </EmptyState>
  );
}

/** Redirects to the user's first site. */
export function HomePage() {
  const { data } = useStart();
  const site = data?.tenants.find(({ sites }) => sites.length > 0)?.sites[0];
  if (site !== undefined) return <Navigate to="/sites/$siteId" params={{ siteId: site.siteId }} replace />;
  if (data?.tenants.some(({ missing }) => missing !== null)) return <MissingProofs />;
  const withoutSites = data?.tenants.find(({ role }) => role === null);
  if (withoutSites !== undefined)
    return (
      <EmptyState icon="members" title={words.layout.noSiteTitle({ name: withoutSites.name })}>
        {words.layout.noSiteHint}
      </EmptyState>
    );
  return (
    <EmptyState icon="members" title={words.layout.noMembershipTitle}>
      {words.layout.noMembershipHint}
    </EmptyState>
  );
}

/** What the user still has to do for publishers that require more at the sign-in, such as a second factor. */
function MissingProofs() {
  const { data } = useStart();
  return data?.tenants.map(({ tenantId, name, missing }) => {
    if (missing === null) return null;
    if (missing === "provider") {
      return (
        <EmptyState key={tenantId} icon="key" title={words.layout.signInByProvider({ name })}>
          {words.layout.providerSignInHint}
        </EmptyState>
      );
    }
    const toAccount = <TextLink to="/account">{words.layout.toYourAccount}</TextLink>;
    return (
      <EmptyState key={tenantId} icon="key" title={words.layout.secondFactorMissing({ name })} action={toAccount}>
        {words.layout.secondFactorMissingHint}
      </EmptyState>
    );
  });
}
