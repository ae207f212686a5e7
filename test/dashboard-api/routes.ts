import { dashboardRoutes } from "../../src/http/dashboard-routes.ts";
import { v1Routes } from "../../src/http/server.ts";
import { writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { createSubscriptions } from "../fixtures/publisher.ts";
import type { Ids } from "../http/two-tenants.ts";

/** All routes under /dashboard/api/tenants. */
export const routes = dashboardRoutes(v1Routes);

/** A valid body for each route that takes one, by "METHOD path". */
const bodies: Record<string, (ids: Ids) => unknown> = {
  "POST content/preview": ({ siteId }) => ({ url: "https://news.example/a", siteId }),
  "POST campaigns": ({ siteId }) => ({ siteId, mode: "manual", url: "https://news.example/a", title: "T", body: "B" }),
  "POST campaign-groups": ({ siteId, sisterId }) => ({
    mode: "manual",
    url: "https://news.example/a",
    title: "T",
    body: "B",
    sites: [{ siteId }, { siteId: sisterId }],
  }),
  "PATCH campaigns/:campaignId": () => ({ title: "Changed" }),
  "PATCH campaigns/:campaignId/scheduled": () => ({ title: "Changed" }),
  "POST campaigns/:campaignId/updates": () => ({ title: "Changed" }),
  "POST campaigns/:campaignId/schedule": () => ({ scheduleAt: new Date(Date.now() + 3_600_000).toISOString() }),
  "POST campaigns/:campaignId/approval-request": () => ({}),
  "POST campaigns/:campaignId/undo-window": () => ({}),
  "POST runs/:runId/headline": () => ({ variant: 0 }),
  "POST campaigns/:campaignId/approval-request/approve": ({ keyId }) => ({ requestId: keyId }),
  "POST campaigns/:campaignId/approval-request/refuse": ({ keyId }) => ({ requestId: keyId }),
  "PATCH members/:userId": () => ({ role: "viewer" }),
  "POST invitations": () => ({ email: `new-${Math.random()}@example.org`, role: "viewer" }),
  "PATCH ": () => ({ paused: false }),
  "POST sites": () => ({ name: "Another", url: "https://another.example" }),
  "PATCH sites/:siteId": () => ({ paused: false }),
  "PATCH sites/:siteId/welcome": () => ({
    steps: [{ afterDays: 0, title: "T", body: "B", url: "https://news.example/" }],
  }),
  "PATCH sites/:siteId/win-back": () => ({ afterDays: 90 }),
  "PATCH sites/:siteId/drill": () => ({ everyMinutes: 90 }),
  "POST sites/:siteId/feeds": () => ({ url: `https://news.example/${Math.random()}.xml` }),
  "POST sites/:siteId/feeds/try": () => ({ url: "https://news.example/rss.xml" }),
  "PATCH feeds/:feedId": () => ({ enabled: true }),
  "POST sites/:siteId/recurring-sends": ({ topicId }) => ({ days: [1], time: "07:00", topicId }),
  "PATCH sites/:siteId/recurring-sends/:recurringSendId": () => ({ time: "08:00" }),
  "POST sites/:siteId/test-devices": () => ({ label: "Phone" }),
  "POST sites/:siteId/editor-devices": () => ({ subscription: createSubscriptions(1)[0] }),
  "POST sites/:siteId/registrations/delete": () => ({ from: "2030-01-01T00:00:00Z", to: "2030-01-02T00:00:00Z" }),
  "POST sites/:siteId/vapid-pair": () => ({ vapidPair }),
  "POST sites/:siteId/segments": () => ({ name: `Segment ${Math.random()}`, rule: { seenWithinDays: 30 } }),
  "POST sites/:siteId/segments/count": () => ({ rule: { seenWithinDays: 30 } }),
  "PATCH sites/:siteId/segments/:segmentId": () => ({ name: `Segment ${Math.random()}` }),
  "POST sites/:siteId/topics": () => ({ name: `Topic ${Math.random()}` }),
  "POST sites/:siteId/autosaved-drafts/:autosavedDraftId": ({ keyId }) => ({
    content: autosavedDraftContent,
    revision: 0,
    page: keyId,
  }),
  "PATCH sites/:siteId/topics/:topicId": () => ({ name: `Topic ${Math.random()}` }),
};

/** The query of each route that needs one, by "METHOD path". */
const queries: Record<string, string> = {
  "GET sites/:siteId/subscribers/summary": "?from=2030-01-01&to=2030-01-02",
  "GET sites/:siteId/figures": "?from=2030-01-01&to=2030-01-02&by=day",
  "DELETE sites/:siteId/follows": "?key=election",
};

const autosavedDraftContent = {
  mode: "url",
  url: "news",
  title: "",
  body: "",
  imageUrl: "",
  topicIds: [],
  ttlSeconds: 60,
  urgency: "normal",
  isEdited: false,
};

/** The file of a valid key pair. */
const vapidPair = JSON.stringify(writeVapidFile(generateVapidPair()));

const root = "/dashboard/api/tenants/:tenantId";

/**
 * Returns the request of a route for `ids`. If `ids` has no id of a kind (member, invitation), the request has an
 * unknown one.
 */
export function requestOf(route: { method: string; path: string }, ids: Ids): { path: string; body: unknown } {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => (ids as Record<string, string>)[name] ?? ids.keyId);
  const name = `${route.method} ${route.path.slice(root.length + 1)}`;
  return { path: path + (queries[name] ?? ""), body: bodies[name]?.(ids) };
}
