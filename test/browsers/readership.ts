import type { App } from "../../src/app.ts";
import { type Fixture, fixtureOf } from "../campaigns/fixture.ts";
import { type Answer, createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { openRoad, type Road } from "../fixtures/browsers/road.ts";
import { type Site, startSite } from "../fixtures/browsers/site.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { startProcess } from "../fixtures/service-process.ts";
import { takesEventsFrom } from "./takes-events.ts";

/** A real `start` process that delivers to browsers, and what lies between them and it. */
export type Readership = {
  app: App;
  pushService: PushService;
  road: Road;
  /** A publisher with a website that nobody has visited yet. */
  publish(): Promise<Publication>;
};

/** A website, and the desk of its publisher. */
export type Publication = Fixture & {
  site: Site;
  /** Creates a campaign with `fields` over sound ones, and sends it. Resolves with the run's id. */
  send(fields?: Record<string, unknown>): Promise<string>;
  run(runId: string): Promise<Answer["body"]>;
  /** The run once all of its messages have an outcome. */
  endOf(runId: string): Promise<Answer["body"]>;
  /** The run once it counts so: what readers do comes in within a second or two. */
  runThatCounts(runId: string, counts: Record<string, number>): Promise<Answer["body"]>;
};

/** Opens it on a database of its own until the file's last test has ended. */
export async function openReadership(): Promise<Readership> {
  const pushService = await startPushService({ host: "localhost" });
  afterFile(() => pushService.close());
  const road = await openRoad();
  const settings = { PUSH_SERVICES: pushService.origin, PUBLIC_URL: road.url, RATE_LIMIT_PER_MINUTE: "1000000" };
  const app = await openTestApp(settings);
  // Where PUBLIC_URL is set, the service says that and not the port that it took.
  const port = String(await freePort());
  const more = { PORT: port, NODE_EXTRA_CA_CERTS: pushService.caFile };
  await startProcess(["start"], { ...settingsOf(app), ...settings, ...more }).printed(/listens on/);
  const url = `http://127.0.0.1:${port}`;
  road.leadTo(url);
  return {
    app,
    pushService,
    road,
    async publish() {
      const site = await startSite();
      const publisher = await createPublisher(app, { siteUrl: site.origin });
      await eventually(() => takesEventsFrom(url, site.origin));
      return { ...print(fixtureOf(app, createApi(url), publisher)), site };
    },
  };
}

function print(fixture: Fixture): Omit<Publication, "site"> {
  const run = async (runId: string) =>
    (await fixture.api.call("GET", `/v1/runs/${runId}`, { key: fixture.publisher.apiKey })).body;
  return {
    ...fixture,
    run,
    async send(fields = {}) {
      const { status, body } = await fixture.post(await fixture.draft(fields), "send");
      if (status !== 202) throw new Error(`not sent: ${JSON.stringify(body)}`);
      return body.runId;
    },
    endOf: (runId) =>
      eventually(async () => {
        const seen = await run(runId);
        return seen.status === "completed" && seen;
      }),
    async runThatCounts(runId, counts) {
      let seen: Answer["body"];
      const look = async () => {
        seen = await run(runId);
        return Object.entries(counts).every(([name, count]) => seen[name] === count) && seen;
      };
      const counted = await eventually<Answer["body"]>(look).catch(() => undefined);
      if (!counted) throw new Error(`the run does not count ${JSON.stringify(counts)}, but ${JSON.stringify(seen)}`);
      return counted;
    },
  };
}
