import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { filterIn as auditFilterIn } from "./audit/filter.ts";
import { filterIn } from "./campaigns/filter.ts";
import { textsIn } from "./components/texts-in.ts";
import { type PeriodDays, periods } from "./overview/periods.ts";
import { BrokenPage } from "./pages/broken.tsx";
import { NotFoundPage } from "./pages/not-found.tsx";
import { withWords } from "./words/words.ts";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });
// What people type.
const dashboard = createRoute({
  getParentRoute: () => root,
  path: "/dashboard",
  beforeLoad: () => {
    throw redirect({ to: "/", replace: true });
  },
});
const inLayout = (name: "AppLayout" | "HomePage" | "SiteLayout") =>
  lazyRouteComponent(
    withWords(() => import("./layout/app-layout.tsx"), "layout", "refusals", "said"),
    name,
  );
const app = createRoute({ getParentRoute: () => root, id: "app", component: inLayout("AppLayout") });
const home = createRoute({ getParentRoute: () => app, path: "/", component: inLayout("HomePage") });
const account = createRoute({
  getParentRoute: () => app,
  path: "/account",
  component: lazyRouteComponent(
    withWords(() => import("./pages/account.tsx"), "account", "pages"),
    "AccountPage",
  ),
});
const site = createRoute({ getParentRoute: () => app, path: "/sites/$siteId", component: inLayout("SiteLayout") });
const overview = createRoute({
  getParentRoute: () => site,
  path: "/",
  validateSearch: (search: Record<string, unknown>): { days?: PeriodDays } => {
    const days = periods.find((one) => one === Number(search.days));
    return days === undefined ? {} : { days };
  },
  component: lazyRouteComponent(
    withWords(() => import("./pages/overview.tsx"), "overview", "pages"),
    "OverviewPage",
  ),
});
const calendar = createRoute({
  getParentRoute: () => site,
  path: "/calendar",
  validateSearch: (search: Record<string, unknown>): { month?: string } =>
    typeof search.month === "string" && /^20\d\d-(0[1-9]|1[0-2])$/.test(search.month) ? { month: search.month } : {},
  component: lazyRouteComponent(
    withWords(() => import("./pages/calendar.tsx"), "calendar", "feeds", "compose"),
    "CalendarPage",
  ),
});
const screen = createRoute({
  getParentRoute: () => site,
  path: "/screen",
  component: lazyRouteComponent(
    withWords(() => import("./pages/screen.tsx"), "pages"),
    "ScreenPage",
  ),
});
const compose = createRoute({
  getParentRoute: () => site,
  path: "/compose",
  // What to start with: an autosaved draft or a campaign to continue, a campaign to copy or to correct, the
  // address of a story (`story`), or nothing (`fresh`). `day` (YYYY-MM-DD): for which it is planned.
  // Without any, the page goes on with what was typed last.
  validateSearch: (search: Record<string, unknown>) =>
    textsIn(["autosavedDraft", "draft", "copy", "corrects", "story", "fresh", "day"], search),
  component: lazyRouteComponent(
    withWords(() => import("./pages/compose.tsx"), "compose", "pages"),
    "ComposePage",
  ),
});
const campaigns = createRoute({
  getParentRoute: () => site,
  path: "/campaigns",
  validateSearch: filterIn,
  component: lazyRouteComponent(
    withWords(() => import("./pages/campaigns.tsx"), "campaigns"),
    "CampaignsPage",
  ),
});
const campaign = createRoute({
  getParentRoute: () => site,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(
    withWords(() => import("./pages/campaign.tsx"), "campaign", "compose", "pages", "subscribers"),
    "CampaignPage",
  ),
});
const subscribers = createRoute({
  getParentRoute: () => site,
  path: "/subscribers",
  // Where a person came from to add a test device.
  validateSearch: (search: Record<string, unknown>): { back?: "compose" } =>
    search.back === "compose" ? { back: "compose" } : {},
  component: lazyRouteComponent(
    withWords(() => import("./pages/subscribers.tsx"), "subscribers", "compose", "pages"),
    "SubscribersPage",
  ),
});
const feeds = createRoute({
  getParentRoute: () => site,
  path: "/feeds",
  component: lazyRouteComponent(
    withWords(() => import("./pages/feeds.tsx"), "feeds", "compose", "pages"),
    "FeedsPage",
  ),
});
const feed = createRoute({
  getParentRoute: () => site,
  path: "/feeds/$feedId",
  component: lazyRouteComponent(
    withWords(() => import("./pages/feed.tsx"), "feeds", "compose"),
    "FeedPage",
  ),
});
const integrations = createRoute({
  getParentRoute: () => site,
  path: "/integrations",
  component: lazyRouteComponent(
    withWords(() => import("./pages/integrations.tsx"), "integrations", "pages"),
    "IntegrationsPage",
  ),
});
const members = createRoute({
  getParentRoute: () => site,
  path: "/members",
  component: lazyRouteComponent(
    withWords(() => import("./pages/members.tsx"), "members", "pages"),
    "MembersPage",
  ),
});
const settings = createRoute({
  getParentRoute: () => site,
  path: "/settings",
  beforeLoad: ({ params: { siteId } }) => {
    throw redirect({ to: "/sites/$siteId/settings/$section", params: { siteId, section: "site" }, replace: true });
  },
});
const settingsSection = createRoute({
  getParentRoute: () => site,
  path: "/settings/$section",
  component: lazyRouteComponent(
    withWords(() => import("./pages/settings.tsx"), "settings", "prompts", "pages", "agreement", "compose"),
    "SettingsPage",
  ),
});
const auditLog = createRoute({
  getParentRoute: () => site,
  path: "/settings/audit-log",
  validateSearch: auditFilterIn,
  component: lazyRouteComponent(
    withWords(() => import("./pages/audit-log.tsx"), "audit", "pages"),
    "AuditLogPage",
  ),
});

const sitePages = [
  ...[overview, calendar, screen, compose, campaigns, campaign, feeds, feed],
  ...[subscribers, integrations, members, settings, settingsSection, auditLog],
];
const tree = root.addChildren([dashboard, app.addChildren([home, account, site.addChildren(sitePages)])]);

/** Creates the router, below the path at which a proxy serves the service. */
export function createAppRouter() {
  return createRouter({
    routeTree: tree,
    basepath: new URL(document.baseURI).pathname.replace(/\/$/, "") || "/",
    defaultPreload: "intent",
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
