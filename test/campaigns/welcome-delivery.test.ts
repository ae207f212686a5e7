import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { readWelcomeFigures } from "../../src/automations/welcome/change-welcome.ts";
import type { DeliveryContext } from "../../src/delivery/worker/context.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import type { ReceiptKind } from "../../src/runs/receipt-kinds.ts";
import { createTestContext, deliverToEnd } from "../delivery/fixture.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { view } from "../runs/fixture.ts";
import { nextStep, step, welcomeRuns, welcomeWith } from "./welcome-fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let pushService: PushService;
let context: DeliveryContext;

beforeAll(async () => {
  pushService = await startPushService();
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  api = await serve(app);
  publisher = await createPublisher(app);
  context = createTestContext(app, pushService);
});

async function joinMany(count: number): Promise<void> {
  const client = createReaderClient(api, publisher.siteId);
  const made = pushService.createSubscriptions(count, { applicationServerKey: publisher.vapidPublicKey });
  for (const subscription of made) expect((await client.subscribe(subscription)).status).toBe(201);
}

/** Sends the next step to the push service. Returns its run. */
async function deliverNextStep(): Promise<string> {
  await nextStep(app);
  const { runId } = (await welcomeRuns(app, publisher.siteId)).at(-1)!;
  await deliverToEnd(app, context, { siteId: publisher.siteId, runId });
  return runId;
}

/** Reports receipts of browsers, by the places of their readers in the run. */
async function report(runId: string, kind: ReceiptKind, places: number[]): Promise<void> {
  const receipts = createReceiptBuffer(app);
  const tokenOf = createMessageSigner(app.secrets.tokenKey, runId, 1);
  for (const place of places) receipts.record(tokenOf(place).token, kind, { origin: undefined });
  await receipts.stop();
}

test("a welcome is delivered and counted by step, and a click skips a step for others", async () => {
  await welcomeWith(app, publisher, step(0), step(2, { onlyUnclicked: true }));
  await joinMany(5);
  const first = await deliverNextStep();
  expect(await view(app, publisher, { siteId: publisher.siteId, runId: first })).toMatchObject({
    kind: "welcome",
    status: "completed",
    audience: 5,
    accepted: 5,
  });
  await report(first, "displayed", [0, 1, 2, 3]);
  await report(first, "clicked", [0, 1]);
  await report(first, "unsubscribed", [4]);
  const second = await deliverNextStep();
  await report(second, "displayed", [0]);
  const figures = () => readWelcomeFigures(app, publisher.actor, { siteId: publisher.siteId });
  expect(await figures()).toEqual({
    steps: [
      { step: 1, accepted: 5, displayed: 4, clicked: 2, clickedReporting: 2, unsubscribed: 1 },
      { step: 2, accepted: 3, displayed: 1, clicked: 0, clickedReporting: 0, unsubscribed: 0 },
    ],
  });
  await changeRuns(app, { id: first }, { createdAt: ago("31 days") });
  expect((await figures()).steps.map(({ step: n }) => n)).toEqual([2]);
});

test("figures of a site are for its own tenant", async () => {
  const other = await createPublisher(app);
  const read = readWelcomeFigures(app, other.actor, { siteId: publisher.siteId });
  await expect(read).rejects.toMatchObject({ code: "not_found" });
});
