import { Readable } from "node:stream";
import { memberOf } from "../actor.ts";
import type { App } from "../app.ts";
import { changeDrill, readDrill, runDrillNow } from "../automations/drill/change-drill.ts";
import { changeWelcome, readWelcome, readWelcomeFigures } from "../automations/welcome/change-welcome.ts";
import { changeWinBack, readWinBack, readWinBackFigures } from "../automations/win-back/change-win-back.ts";
import { readUnseen } from "../receipts/unseen.ts";
import { type Call, type ParamsOf, type Reply, type RouteOf, routes } from "../route.ts";
import { chooseHeadline } from "../runs/headline-test/choose-headline.ts";
import { changeScheduledCampaign } from "../sends/change-scheduled-campaign.ts";
import { changeTopic } from "../tenants/topics/topics.ts";
import { countAudience, readSubscribers } from "./audience.ts";
import { checkInstallation } from "./check-installation.ts";
import { exportCampaigns, exportRun, exportSubscribers } from "./exports.ts";
import { findCampaigns, readCampaignChoices } from "./find-campaigns.ts";
import { readCalendar, readPeriod, readScreen, readSendFrequency, readSendHours } from "./newsroom.ts";
import { readOverview } from "./overview.ts";
import { readForecast } from "./read-forecast.ts";
import { readPromptReport } from "./reports/prompt-report.ts";
import { readReport } from "./reports/read-report.ts";
import { followRun } from "./run-progress.ts";
import type { RunSnapshots } from "./run-snapshots.ts";
import { readSendFacts } from "./send-facts.ts";
import {
  addSite,
  addSiteTopic,
  changeSiteSettings,
  changeTenantSettings,
  readReaderSettings,
  readSite,
  readTenant,
} from "./settings.ts";
import { followSite, type SiteChanges } from "./site-changes.ts";

const tenant = "/dashboard/api/tenants/:tenantId";
const site = `${tenant}/sites/:siteId`;

/** Returns whether a body has one of these fields. */
const names = (body: unknown, fields: string[]): boolean =>
  fields.some((field) => Object.hasOwn(Object(body) as object, field));

/** Creates a GET route for every member. */
const get = <Path extends string>(
  path: Path,
  read: (app: App, call: Call<ParamsOf<Path>>) => Promise<unknown>,
): RouteOf<Path> => ({
  method: "GET",
  path,
  access: "viewer",
  needsRecentSignIn: false,
  body: "none",
  answer: async (app, call) => ({ status: 200, body: await read(app, call) }),
});

/** Creates a reply that browsers save as a file. `content`: the whole text, or a generator that is streamed. */
const file = (name: string, type: string, content: string | AsyncGenerator<string>): Reply => ({
  status: 200,
  // In object mode, the stream would read 16 pages of the database ahead of a slow reader.
  body: typeof content === "string" ? content : Readable.from(content, { objectMode: false }),
  headers: { "content-type": `${type}; charset=utf-8`, "content-disposition": `attachment; filename="${name}"` },
});

/** The routes that the dashboard needs in addition to those of /v1. */
export const dashboardOnlyRoutes = routes([
  get(tenant, (app, { actor }) => readTenant(app, actor)),
  { ...get(`${tenant}/campaigns`, (app, { actor, query }) => findCampaigns(app, actor, { query })), sites: "own" },
  get(`${tenant}/campaigns/:campaignId/send-facts`, (app, { actor, params }) =>
    readSendFacts(app, actor, { campaignId: params.campaignId }),
  ),
  get(`${tenant}/campaigns/:campaignId/forecast`, (app, { actor, params }) =>
    readForecast(app, actor, { campaignId: params.campaignId }),
  ),
  get(site, (app, { actor, params }) => readSite(app, actor, { siteId: params.siteId })),
  get(`${site}/readers`, (app, { actor, params }) => readReaderSettings(app, actor, { siteId: params.siteId })),
  get(`${site}/welcome`, (app, { actor, params }) => readWelcome(app, actor, { siteId: params.siteId })),
  get(`${site}/welcome/figures`, (app, { actor, params }) =>
    readReport(app, (reader) => readWelcomeFigures(reader, actor, { siteId: params.siteId })),
  ),
  get(`${site}/win-back`, (app, { actor, params }) => readWinBack(app, actor, { siteId: params.siteId })),
  get(`${site}/win-back/figures`, (app, { actor, params }) =>
    readReport(app, (reader) => readWinBackFigures(reader, actor, { siteId: params.siteId })),
  ),
  get(`${site}/drill`, (app, { actor, params }) => readDrill(app, actor, { siteId: params.siteId })),
  get(`${site}/overview`, (app, { actor, params }) => readOverview(app, actor, { siteId: params.siteId })),
  get(`${site}/period`, (app, { actor, params, query }) =>
    readReport(app, (reader) => readPeriod(reader, actor, { siteId: params.siteId, query })),
  ),
  get(`${site}/campaign-choices`, (app, { actor, params }) =>
    readReport(app, (reader) => readCampaignChoices(reader, actor, { siteId: params.siteId })),
  ),
  get(`${site}/send-frequency`, (app, { actor, params }) =>
    readReport(app, (reader) => readSendFrequency(reader, actor, { siteId: params.siteId })),
  ),
  get(`${site}/send-hours`, (app, { actor, params }) =>
    readReport(app, (reader) => readSendHours(reader, actor, { siteId: params.siteId })),
  ),
  get(`${site}/prompts`, (app, { actor, params }) =>
    readReport(app, (reader) => readPromptReport(reader, actor, { siteId: params.siteId })),
  ),
  get(`${site}/calendar`, (app, { actor, params, query }) =>
    readReport(app, (reader) => readCalendar(reader, actor, { siteId: params.siteId, query })),
  ),
  get(`${site}/screen`, (app, { actor, params }) => readScreen(app, actor, { siteId: params.siteId })),
  get(`${site}/subscribers`, (app, { actor, params }) => readSubscribers(app, actor, { siteId: params.siteId })),
  get(`${site}/audience`, (app, { actor, params, query }) =>
    countAudience(app, actor, { siteId: params.siteId, query }),
  ),
  {
    method: "PATCH",
    path: tenant,
    access: "owner",
    needsRecentSignIn: (body) => names(body, ["confirmAbove", "requiresSecondFactor"]),
    body: "json",
    async answer(app, call) {
      return { status: 200, body: await changeTenantSettings(app, memberOf(call), { body: call.body }) };
    },
  },
  {
    method: "PATCH",
    path: `${tenant}/campaigns/:campaignId/scheduled`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeScheduledCampaign(app, actor, { campaignId: params.campaignId, body }) };
    },
  },
  {
    method: "POST",
    path: `${tenant}/sites`,
    access: "owner",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, body }) {
      return { status: 201, body: await addSite(app, actor, { body }) };
    },
  },
  {
    method: "PATCH",
    path: site,
    access: "editor",
    needsRecentSignIn: (body) => names(body, ["origins"]),
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeSiteSettings(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "PATCH",
    path: `${site}/welcome`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeWelcome(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "PATCH",
    path: `${site}/win-back`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeWinBack(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "PATCH",
    path: `${site}/drill`,
    access: "owner",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeDrill(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "POST",
    path: `${site}/drill/run`,
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await runDrillNow(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "POST",
    path: `${tenant}/runs/:runId/headline`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      const input = { runId: call.params.runId, body: call.body };
      return { status: 200, body: await chooseHeadline(app, memberOf(call), input) };
    },
  },
  {
    method: "POST",
    path: `${site}/installation`,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    readsPage: () => true,
    async answer(app, { actor, params }) {
      return { status: 200, body: await checkInstallation(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "POST",
    path: `${site}/topics`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 201, body: await addSiteTopic(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "PATCH",
    path: `${site}/topics/:topicId`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      await changeTopic(app, actor, { siteId: params.siteId, topicId: params.topicId, body });
      return { status: 204 };
    },
  },
  {
    method: "GET",
    path: `${tenant}/runs/:runId/report.csv`,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return file(`run-${params.runId}.csv`, "text/csv", await exportRun(app, actor, { runId: params.runId }));
    },
  },
  {
    method: "GET",
    path: `${tenant}/campaigns.csv`,
    access: "viewer",
    sites: "own",
    needsRecentSignIn: false,
    body: "none",
    isStream: true,
    async answer(app, { actor, query }) {
      return file("campaigns.csv", "text/csv", await exportCampaigns(app, actor, { query }));
    },
  },
  {
    method: "GET",
    path: `${site}/unseen-subscribers`,
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readReport(app, (on) => readUnseen(on, actor, { siteId: params.siteId })) };
    },
  },
  {
    method: "GET",
    path: `${site}/subscribers.ndjson`,
    access: "owner",
    needsRecentSignIn: true,
    body: "none",
    isStream: true,
    async answer(app, { actor, params }) {
      const lines = await exportSubscribers(app, actor, { siteId: params.siteId });
      return file("subscribers.ndjson", "application/x-ndjson", lines);
    },
  },
]);

// Without `x-accel-buffering`, nginx would hold the events back until a block is full.
const eventHeaders = { "content-type": "text/event-stream", "x-accel-buffering": "no" };

/**
 * Returns the routes of server-sent events: the changes of a site, and the progress of a run. `changes` and
 * `snapshots`: shared by all requests of this process.
 */
export const eventRoutes = ({ changes, snapshots }: { changes: SiteChanges; snapshots: RunSnapshots }) =>
  routes([
    {
      method: "GET",
      path: `${site}/changes`,
      access: "viewer",
      needsRecentSignIn: false,
      body: "none",
      isStream: "of member",
      async answer(app, call) {
        const member = memberOf(call);
        const body = await followSite(app, member, { siteId: call.params.siteId, changes });
        return { status: 200, body, headers: eventHeaders };
      },
    },
    {
      method: "GET",
      path: `${tenant}/runs/:runId/events`,
      access: "viewer",
      needsRecentSignIn: false,
      body: "none",
      isStream: true,
      async answer(app, { actor, params }) {
        const body = await followRun(app, actor, { runId: params.runId, snapshots });
        return { status: 200, body, headers: eventHeaders };
      },
    },
  ]);
