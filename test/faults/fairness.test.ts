import { beforeAll, describe, expect, test } from "vitest";
import { subscribeBrowsers } from "../delivery/fixture.ts";
import { serve } from "../fixtures/app.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { createPublisher, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { start, view } from "../runs/fixture.ts";
import { ended, type Fleet, startFleet } from "./fleet.ts";

const large = 12_000;
const small = 500;

let fleet: Fleet;
let another: Publisher;

beforeAll(async () => {
  fleet = await startFleet(1, large, { WORKERS: "2" });
  another = await createPublisher(fleet.app);
  await subscribeBrowsers(fleet.app, another, fleet.pushService, small);
});

/** Returns how long the small publisher's run takes, in ms. */
async function sendSmall(): Promise<number> {
  const startedMs = performance.now();
  const run = await start(fleet.app, another);
  expect(await ended({ ...fleet, publisher: another }, run)).toMatchObject({ status: "completed", accepted: small });
  return performance.now() - startedMs;
}

describe("a large run of one tenant", () => {
  test("delays another tenant's small run by at most two seconds, each time", async () => {
    const { app, publisher, pushService } = fleet;
    const aloneMs = await sendSmall();
    const run = await start(app, publisher);
    await pushService.received(pushService.stats().received + 1_500);
    for (let sends = 0; sends < 2; sends++) {
      const besideMs = await sendSmall();
      expect(besideMs - aloneMs).toBeLessThan(scaleByLoad(2_000));
    }
    expect((await view(app, publisher, run)).pending).toBeGreaterThan(0);
    expect(await ended(fleet, run)).toMatchObject({ accepted: large, repeated: 0 });
  });

  test("lets another tenant's test send go first", async () => {
    const { app, publisher, pushService } = fleet;
    const made = pushService.createSubscriptions(1, { applicationServerKey: another.vapidPublicKey });
    await subscribe(app, another.siteId, made, "Newsroom phone");
    const api = await serve(app);
    const body = { siteId: another.siteId, mode: "manual", url: "https://news.example/a", title: "A", body: "B" };
    const created = await api.call("POST", `/v1/tenants/${another.tenantId}/campaigns`, { key: another.apiKey, body });
    const run = await start(app, publisher);
    await pushService.received(pushService.stats().received + 1_500);
    const tested = await api.call("POST", `/v1/campaigns/${created.body.campaignId}/test`, { key: another.apiKey });
    expect(tested).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect((await view(app, publisher, run)).pending).toBeGreaterThan(0);
    await ended(fleet, run);
  });
});
