import type { App } from "../../src/app.ts";
import type { CampaignStatus } from "../../src/campaigns/states.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { hasSubscribers } from "../../src/subscribers/queries.ts";
import { type Answer, type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";

/** The API on a database of its own, a publisher, and short functions for the calls of a CMS. */
export type CampaignFixture = {
  app: App;
  api: Api;
  publisher: Publisher;
  /** Creates a campaign in manual mode, with valid texts and the publisher's siteId. `fields` replace these. */
  create(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a campaign and returns its id. Throws unless the answer is 201. */
  draft(fields?: Record<string, unknown>): Promise<string>;
  /** Calls POST /v1/campaigns/:id/:verb. */
  post(campaignId: string, verb: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  read(campaignId: string): Promise<Answer["body"]>;
  run(runId: string): Promise<Answer["body"]>;
  /** Waits for the end of a run, and returns it. */
  whenOver(runId: string, withinMs?: number): Promise<Answer["body"]>;
  /** Calls POST /v1/runs/:id/stop. */
  stop(runId: string): Promise<Answer>;
  /** Creates a campaign and brings it to this status. No worker runs, so a sent campaign stays `sending`. */
  campaignThatIs(status: CampaignStatus): Promise<{ campaignId: string; runId: string | null }>;
};

/** Settings without limits, because the tests call more often than the default limits allow. */
const noLimits = { RATE_LIMIT_PER_MINUTE: "1000000", FETCH_RATE_LIMIT_PER_MINUTE: "1000000" };

export const validFields = {
  mode: "manual",
  url: "https://news.example/bridge",
  title: "Bridge opens",
  body: "On Saturday.",
};

export async function openCampaignFixture(settings: Record<string, string> = {}): Promise<CampaignFixture> {
  const app = await openTestApp({ ...noLimits, ...settings });
  return campaignFixtureOf(app, await serve(app), await createPublisher(app));
}

/** Returns the same functions for another publisher or process. */
export function campaignFixtureOf(app: App, api: Api, publisher: Publisher): CampaignFixture {
  const key = publisher.apiKey;
  const fixture: CampaignFixture = {
    app,
    api,
    publisher,
    create(fields = {}, headers = {}) {
      const body = { siteId: publisher.siteId, ...validFields, ...fields };
      return api.call("POST", `/v1/tenants/${publisher.tenantId}/campaigns`, { key, body, headers });
    },
    async draft(fields = {}) {
      const { status, body } = await fixture.create(fields);
      if (status !== 201) throw new Error(`no draft: ${JSON.stringify(body)}`);
      return body.campaignId;
    },
    post: (campaignId, verb, body, headers = {}) =>
      api.call("POST", `/v1/campaigns/${campaignId}/${verb}`, { key, body, headers }),
    read: async (campaignId) => (await api.call("GET", `/v1/campaigns/${campaignId}`, { key })).body,
    run: async (runId) => (await api.call("GET", `/v1/runs/${runId}`, { key })).body,
    whenOver: (runId, withinMs) =>
      eventually(async () => {
        const run = await fixture.run(runId);
        return run.finishedAt !== null && run;
      }, withinMs),
    stop: (runId) => api.call("POST", `/v1/runs/${runId}/stop`, { key }),
    async campaignThatIs(status) {
      const campaignId = await fixture.draft();
      await bringTo[status](fixture, campaignId);
      const shown = await fixture.read(campaignId);
      if (shown.status !== status) throw new Error(`the campaign is ${shown.status}, not ${status}`);
      return { campaignId, runId: shown.runId };
    },
  };
  return fixture;
}

const bringTo: Record<CampaignStatus, (fixture: CampaignFixture, campaignId: string) => Promise<unknown>> = {
  draft: async () => {},
  scheduled: (fixture, id) => fixture.post(id, "schedule", { scheduleAt: inSeconds(3_600) }),
  cancelled: (fixture, id) => fixture.post(id, "cancel"),
  failed: async (fixture, id) => {
    await fixture.post(id, "schedule", { scheduleAt: inSeconds(3_600) });
    await makeDue(fixture.app, id, 86_400);
    await startDueSends(fixture.app);
  },
  sending: sendToReader,
  sent: async (fixture, id) => {
    await sendToReader(fixture, id);
    await endRuns(fixture.app);
  },
  stopped: async (fixture, id) => {
    const { runId } = (await sendToReader(fixture, id)).body;
    await fixture.stop(runId);
  },
};

/**
 * Sends to a site that may have no readers. It adds a reader for the moment of the send, because an empty run completes
 * at once.
 */
export async function sendToReader(
  { app, post, publisher: { siteId } }: CampaignFixture,
  campaignId: string,
): Promise<Answer> {
  if (await hasSubscribers(app.db, siteId)) return post(campaignId, "send");
  await subscribe(app, siteId, createSubscriptions(1));
  const sent = await post(campaignId, "send");
  await deleteSubscribers(app, { siteId });
  return sent;
}

/** Plans and closes the runs of sites without readers, as a worker would. */
export async function endRuns(app: App): Promise<void> {
  while (await planNextPage(app.db));
  await sweepRuns(app.db);
}

/** Sets the time of a scheduled campaign to `seconds` before the database's now. */
export async function makeDue(app: App, campaignId: string, seconds = 0): Promise<void> {
  await changePlannedSends(
    app,
    { campaignId, waitsFor: "time", status: "waiting" },
    { startsAt: ago(`${seconds} seconds`) },
  );
}

/** Returns the RFC 3339 time `seconds` from now. The clock is that of this machine, which the test database shares. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}
