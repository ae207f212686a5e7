import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type CampaignFixture, campaignFixtureOf } from "../campaigns/fixture.ts";
import { type Answer, createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { startService } from "../fixtures/service-process.ts";

/** The service in a process of its own, behind a proxy that names each reader's address. */
let fixture: CampaignFixture;
let reader: ReaderClient;

beforeAll(async () => {
  const app = await openTestApp();
  const publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(1));
  const { url } = await startService("api", { ...settingsOf(app), TRUST_PROXY: "true" });
  const api = createApi(url);
  fixture = campaignFixtureOf(app, api, publisher);
  reader = createReaderClient(api, publisher.siteId);
});

const [subscription] = createSubscriptions(1);

function confirm(no: number): Promise<Answer> {
  const address = `10.0.${no >> 8}.${no & 255}`;
  const post = () => reader.post("subscriptions", { subscription }, { "x-forwarded-for": address });
  // Two thousand connections open at once. A busy machine resets some of them.
  return post().catch(post);
}

const stop = (runId: string) => {
  const { api, publisher } = fixture;
  return api.call("POST", `/v1/runs/${runId}/stop`, { key: publisher.apiKey });
};

/** Returns how many answers of a route took at most 2.5 s. That is less than a request may wait for the database. */
async function inTime(route: string, status: number): Promise<number> {
  const text = await (await fetch(`${fixture.api.url}/metrics`)).text();
  const line = text
    .split("\n")
    .find((one) => ['le="2.5"', `route="${route}"`, `status="${status}"`].every((label) => one.includes(label)));
  return Number(line?.split(" ").at(-1) ?? 0);
}

test("thousands of blocked confirmations are shed, while send, stop and reads are in time", {
  timeout: 120_000,
}, async () => {
  const { app, api, publisher } = fixture;
  const { runId } = await fixture.campaignThatIs("sending");
  const campaignId = await fixture.draft();
  const confirmed = await holdOpen(app, async (tx) => {
    // This lock allows reads, because a send counts its audience.
    await sql`lock table subscribers in exclusive mode`.execute(tx);
    const rush = Array.from({ length: 2_000 }, (_, no) => confirm(no));
    const firstShed = Promise.any(rush.map(async (answer) => (await answer).status === 503 || Promise.reject()));
    await firstShed;
    const answers = await Promise.all([
      stop(runId!),
      fixture.post(campaignId, "send"),
      api.call("GET", `/v1/campaigns/${campaignId}`, { key: publisher.apiKey }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 202, 200]);
    return Promise.all(rush);
  });
  for (const { status, body, headers } of confirmed) {
    expect({ status, body }).toEqual({ status: 503, body: expect.objectContaining({ code: "unavailable" }) });
    expect(headers.get("retry-after")).toBe("1");
  }
  expect(await inTime("/v1/runs/:runId/stop", 200)).toBe(1);
  expect(await inTime("/v1/campaigns/:campaignId/send", 202)).toBe(2);
  expect((await confirm(2_000)).status).toBe(201);
});

test("send and stop are answered while other requests have taken all connections", async () => {
  const { app, api } = fixture;
  const { runId } = await fixture.campaignThatIs("sending");
  const other = await fixture.draft();
  // One tenant may use only a share of the connections, so it takes several tenants to use all.
  const publishers = await Promise.all(Array.from({ length: 4 }, () => createPublisher(app)));
  const fixtures = publishers.map((publisher) => campaignFixtureOf(app, api, publisher));
  const locked = await Promise.all(fixtures.map((each) => each.draft()));
  const held = await holdOpen(app, async (tx) => {
    await sql`select from campaigns where id = any(${locked}::uuid[]) for update`.execute(tx);
    let isOver = false;
    const cancel = async (no: number): Promise<Answer> => {
      const answer = await fixtures[no % 4]!.post(locked[no % 4]!, "cancel");
      // The service refuses the call after three seconds, and the test repeats it. So the connections stay in use until
      // the other requests are answered.
      return isOver ? answer : cancel(no);
    };
    const waiting = Array.from({ length: 30 }, (_, no) => cancel(no));
    // All ten general connections are in use. Each waits for its campaign.
    await eventually(async () => (await countLockWaits(fixture.app.db)) === 10);
    const answers = await Promise.all([stop(runId!), fixture.post(other, "send")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 202]);
    isOver = true;
    return Promise.all(waiting);
  });
  expect(await inTime("/v1/runs/:runId/stop", 200)).toBe(2);
  expect(held.map(({ status }) => status)).toEqual(Array(30).fill(503));
});
