import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeDrill } from "../../src/automations/drill/change-drill.ts";
import type { Drill } from "../../src/automations/drill/drill.ts";
import { type Api, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { createPublisher, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type Delivery, openDelivery } from "./delivery-fixture.ts";
import { drillOf, letPass, markCanary } from "./drill-fixture.ts";

let delivery: Delivery;
let api: Api;
let publisher: Publisher;
/** The endpoint of the canary. */
let endpoint: string;

beforeAll(async () => {
  delivery = await openDelivery();
  api = await serve(delivery.app);
  await delivery.startWorker();
});

beforeEach(async () => {
  const { app, pushService } = delivery;
  await sql`truncate drills`.execute(app.db);
  publisher = await createPublisher(app);
  const [canary] = pushService.createSubscriptions(1, { applicationServerKey: publisher.vapidPublicKey });
  endpoint = canary!.endpoint;
  await subscribe(app, publisher.siteId, [canary!], "Canary");
});

/** Waits for a drill that meets a condition. Returns it. */
function drillThat(has: (drill: Drill) => boolean): Promise<Drill> {
  return eventually(async () => {
    const drill = await drillOf(delivery.app, publisher);
    return has(drill) ? drill : undefined;
  }, scaleByLoad(30_000));
}

const hasEnded = ({ last }: Drill) => last !== null && last.endedAt !== null;

type Payload = {
  notification: { title: string; tag: string; silent: boolean; data: { token: string; order: number } };
};

/** Returns the messages that the canary got, as its service worker reads them. */
const got = () => delivery.pushService.decrypt(endpoint) as Payload[];

/** Reports the last message that the canary got, as its service worker does. */
async function report(): Promise<void> {
  const { token } = got().at(-1)!.notification.data;
  const body = { events: [{ token, kind: "displayed" }] };
  expect((await api.call("POST", "/sdk/events", { body })).status).toBe(204);
}

test("a worker sends the drill, and it passes with the receipt of the canary", async () => {
  await markCanary(delivery.app, publisher);
  const { last } = await drillThat((drill) => typeof drill.last?.seconds.accepted === "number");
  expect(last).toMatchObject({ endedAt: null, seconds: { displayed: null } });
  expect(got()).toMatchObject([{ notification: { title: "Fire drill", silent: true, data: { order: 1 } } }]);
  await report();
  expect((await drillThat(hasEnded)).failure).toBeNull();
});

test("the next one replaces it on the canary's screen", async () => {
  await markCanary(delivery.app, publisher);
  await eventually(async () => got().length === 1, scaleByLoad(30_000));
  await report();
  await drillThat(hasEnded);
  await letPass(delivery.app, publisher, "1 hour");
  await eventually(async () => got().length === 2, scaleByLoad(30_000));
  const [first, second] = got().map(({ notification }) => notification);
  expect(second).toMatchObject({ tag: first!.tag, data: { order: 2 } });
});

test("the refusal of a push service is told in its meaning", async () => {
  delivery.pushService.answerWith({ behaviour: "gone", match: { endpoint } });
  await markCanary(delivery.app, publisher);
  const { failure } = await drillThat(hasEnded);
  expect(failure).toMatchObject({ step: "accepted", message: expect.stringContaining("did not accept it") });
  const noCanary = async () => {
    await letPass(delivery.app, publisher, "1 hour");
    return (await drillOf(delivery.app, publisher)).failure?.step === "canary";
  };
  await eventually(noCanary, scaleByLoad(30_000));
});

test("a push service that does not answer is told once five minutes have passed", async () => {
  delivery.pushService.answerWith({ behaviour: "unavailable", match: { endpoint } });
  await markCanary(delivery.app, publisher);
  await drillThat((drill) => typeof drill.last?.seconds.sent === "number");
  await letPass(delivery.app, publisher, "301 seconds");
  const { failure } = await drillThat(hasEnded);
  expect(failure).toMatchObject({ step: "accepted", message: expect.stringContaining("within 5 minutes") });
  await changeDrill(delivery.app, publisher.actor, { siteId: publisher.siteId, body: { canaryId: null } });
});

test("a drill that its worker began is checked by another process after the worker's death", async () => {
  await markCanary(delivery.app, publisher);
  await drillThat((drill) => typeof drill.last?.seconds.accepted === "number");
  await delivery.killWorker();
  await letPass(delivery.app, publisher, "301 seconds");
  await delivery.startWorker();
  expect((await drillThat(hasEnded)).failure).toMatchObject({ step: "displayed" });
});
