import { AppShell, Box, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Navigate, Outlet, useParams, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Brand } from "../parts/icon.tsx";
import { TextLink } from "../parts/links.tsx";
import { EmptyState, ErrorState, LoadingState } from "../parts/states.tsx";
import { PendingSends } from "./pending-send.tsx";
import { PlaceContext, placeOf, useStart } from "./session.tsx";
import { SideBar } from "./side-bar.tsx";

/** Everything behind the sign-in: who is not signed in is led there, and back afterwards. */
export function AppFrame() {
  const { data, error, refetch } = useStart();
  const { siteId } = useParams({ strict: false });
  if (data === undefined)
    return <Bare>{error === null ? <LoadingState /> : <ErrorState error={error} onRetry={refetch} />}</Bare>;
  if (data.needsSetUp) return <Navigate to="/set-up" replace />;
  if (data.user === null) return <ToSignIn />;
  const place = placeOf(data, siteId ?? data.tenants.find(({ sites }) => sites.length > 0)?.sites[0]?.siteId ?? "");
  return (
    <PlaceContext value={place ?? null}>
      <PendingSends>
        <Shell>
          <Outlet />
        </Shell>
      </PendingSends>
    </PlaceContext>
  );
}

/** The address is taken once: it changes while one is being led away. */
function ToSignIn() {
  const router = useRouter();
  const [here] = useState(() => router.state.location.href);
  return useMemo(() => <Navigate to="/sign-in" search={here === "/" ? {} : { next: here }} replace />, [here]);
}

function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new page closes the menu
  useEffect(close, [path]);
  return (
    <AppShell
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        Go to the content
      </button>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" justify="space-between">
          <Link to="/" aria-label="Pressbell, overview" style={{ textDecoration: "none" }}>
            <Group gap={10}>
              <Brand size={26} />
              <Text fw={650} c="var(--mantine-color-text)">
                Pressbell
              </Text>
            </Group>
          </Link>
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={isOpen} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <SideBar />
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: "none" }}>
        <Box maw={1120} mx="auto" px={{ base: "md", sm: "xl" }} py={{ base: "lg", sm: 36 }}>
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

/** The pages of a site, where it is one of the person's. */
export function SiteFrame() {
  const { data } = useStart();
  const { siteId } = useParams({ strict: false });
  if (data !== undefined && placeOf(data, siteId ?? "") !== undefined) return <Outlet />;
  return (
    <EmptyState icon="info" title="There is no such site here" action={<TextLink to="/">Go to your sites</TextLink>}>
      It does not exist, or it belongs to a tenant that you are no member of.
    </EmptyState>
  );
}

/** Leads to the first site. */
export function HomePage() {
  const { data } = useStart();
  const site = data?.tenants.find(({ sites }) => sites.length > 0)?.sites[0];
  if (site !== undefined) return <Navigate to="/sites/$siteId" params={{ siteId: site.siteId }} replace />;
  return (
    <EmptyState icon="members" title="You are no member of a tenant">
      Ask an owner of your publication for an invitation, then reload this page.
    </EmptyState>
  );
}
