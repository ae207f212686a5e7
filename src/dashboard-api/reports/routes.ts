import type { App } from "../../app.ts";
import { readHoldouts } from "../../holdouts/read-holdouts.ts";
import { routes } from "../../route.ts";
import { listRuns } from "./list-runs.ts";
import { readFigures } from "./read-figures.ts";
import { readReport } from "./read-report.ts";
import { findReportedSite, readSubscribersSummary } from "./subscribers-summary.ts";

/** The common fields of all routes here. They read sums, and no data of a single reader. */
const report = { method: "GET", access: "key", needsRecentSignIn: false, scope: "report", body: "none" } as const;

export const reportRoutes = routes([
  {
    ...report,
    path: "/v1/tenants/:tenantId/runs",
    async answer(app, { actor, query }) {
      return { status: 200, body: await readReport(app, (reader) => listRuns(reader, actor, { query })) };
    },
  },
  {
    ...report,
    path: "/v1/tenants/:tenantId/sites/:siteId/subscribers/summary",
    async answer(app, { actor, params, query }) {
      const input = { siteId: params.siteId, query };
      return { status: 200, body: await readReport(app, (reader) => readSubscribersSummary(reader, actor, input)) };
    },
  },
  {
    ...report,
    path: "/v1/tenants/:tenantId/sites/:siteId/holdouts",
    async answer(app, { actor, params }) {
      const read = async (reader: App) => readHoldouts(reader, await findReportedSite(reader, actor, params.siteId));
      return { status: 200, body: await readReport(app, read) };
    },
  },
  {
    ...report,
    path: "/v1/tenants/:tenantId/sites/:siteId/figures",
    async answer(app, { actor, params, query }) {
      const input = { siteId: params.siteId, query };
      return { status: 200, body: await readReport(app, (reader) => readFigures(reader, actor, input)) };
    },
  },
]);
