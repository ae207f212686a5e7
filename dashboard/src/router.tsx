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
import { loadLayout, pages } from "./pages.ts";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });
// People may type this address.
const dashboard = createRoute({
  getParentRoute: () => root,
  path: "/dashboard",
  beforeLoad: () => {
    throw redirect({ to: "/", replace: true });
  },
});
const inLayout = (name: "AppLayout" | "HomePage" | "SiteLayout") => lazyRouteComponent(loadLayout, name);
const app = createRoute({ getParentRoute: () => root, id: "app", component: inLayout("AppLayout") });
const home = createRoute({ getParentRoute: () => app, path: "/", component: inLayout("HomePage") });
const account = createRoute({
  getParentRoute: () => app,
  path: "/account",
  component: lazyRouteComponent(pages.account, "AccountPage"),
});
const site = createRoute({ getParentRoute: () => app, path: "/sites/$siteId", component: inLayout("SiteLayout") });
const overview = createRoute({
  getParentRoute: () => site,
  path: "/",
  validateSearch: (search: Record<string, unknown>): { days?: PeriodDays } => {
    const days = periods.find((one) => one === Number(search.days));
    return days === undefined ? {} : { days };
  },
  component: lazyRouteComponent(pages.overview, "OverviewPage"),
});
const calendar = createRoute({
  getParentRoute: () => site,
  path: "/calendar",
  validateSearch: (search: Record<string, unknown>): { month?: string } =>
    typeof search.month === "string" && /^20\d\d-(0[1-9]|1[0-2])$/.test(search.month) ? { month: search.month } : {},
  component: lazyRouteComponent(pages.calendar, "CalendarPage"),
});
const screen = createRoute({
  getParentRoute: () => site,
  path: "/screen",
  component: lazyRouteComponent(pages.screen, "ScreenPage"),
});
const compose = createRoute({
  getParentRoute: () => site,
  path: "/compose",
  // `autosavedDraft` and `draft`: what to continue. `copy` and `corrects`: the campaign to copy or to correct.
  // `story`: the address of a story. `fresh`: start with nothing. `day` (YYYY-MM-DD): the day for which it is
  // planned. Without any of these, the page continues what was typed last.
  validateSearch: (search: Record<string, unknown>) =>
    textsIn(["autosavedDraft", "draft", "copy", "corrects", "story", "fresh", "day"], search),
  component: lazyRouteComponent(pages.compose, "ComposePage"),
});
const campaigns = createRoute({
  getParentRoute: () => site,
  path: "/campaigns",
  validateSearch: filterIn,
  component: lazyRouteComponent(pages.campaigns, "CampaignsPage"),
});
const campaign = createRoute({
  getParentRoute: () => site,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(pages.campaign, "CampaignPage"),
});
const subscribers = createRoute({
  getParentRoute: () => site,
  path: "/subscribers",
  // The page from which a person came to add a test device.
  validateSearch: (search: Record<string, unknown>): { back?: "compose" } =>
    search.back === "compose" ? { back: "compose" } : {},
  component: lazyRouteComponent(pages.subscribers, "SubscribersPage"),
});
const feeds = createRoute({
  getParentRoute: () => site,
  path: "/feeds",
  component: lazyRouteComponent(pages.feeds, "FeedsPage"),
});
const feed = createRoute({
  getParentRoute: () => site,
  path: "/feeds/$feedId",
  component: lazyRouteComponent(pages.feed, "FeedPage"),
});
const integrations = createRoute({
  getParentRoute: () => site,
  path: "/integrations",
  component: lazyRouteComponent(pages.integrations, "IntegrationsPage"),
});
const members = createRoute({
  getParentRoute: () => site,
  path: "/members",
  component: lazyRouteComponent(pages.members, "MembersPage"),
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
  component: lazyRouteComponent(pages.settings, "SettingsPage"),
});
const auditLog = createRoute({
  getParentRoute: () => site,
  path: "/settings/audit-log",
  validateSearch: auditFilterIn,
  component: lazyRouteComponent(pages.auditLog, "AuditLogPage"),
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
