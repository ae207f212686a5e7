import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeWelcome, readWelcome } from "../../src/automations/welcome/change-welcome.ts";
import { row } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { createPublisher, createSubscriptions, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { deleteWelcomes } from "../fixtures/rows/subscribers.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { nextStep, step, underWay, welcomeRuns, welcomeWith } from "./welcome-fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let siteId: string;
let path: string;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
  path = `/dashboard/api/tenants/${publisher.tenantId}/sites/${siteId}/welcome`;
});

const change = (body: unknown) => changeWelcome(app, publisher.actor, { siteId, body });
const join = () => createReaderClient(api, siteId).subscribe(createSubscriptions(1)[0]!);
const stored = (afterDays: number) => ({
  ...step(afterDays),
  imageUrl: null,
  topicId: null,
  onlyUnclicked: false,
});

/** Returns the faults of a change that is refused. */
async function faultsOf(body: unknown): Promise<string[]> {
  const refusal = await change(body).then(
    () => [],
    ({ details }) => details.errors,
  );
  return refusal.map(({ path: field, message }: { path: string; message: string }) => `${field} ${message}`);
}

test("a site has no welcome at first; an editor writes one and a viewer reads it", async () => {
  expect(await readWelcome(app, publisher.actor, { siteId })).toEqual({ enabled: false, steps: [] });
  const body = { enabled: true, steps: [step(0), step(3)] };
  const as = async (role: "viewer" | "editor") => ({ cookie: await signInAs(app, api, publisher.tenantId, role) });
  const saved = await api.call("PATCH", path, { body, headers: await as("editor") });
  expect(saved).toMatchObject({ status: 200, body: { enabled: true, steps: [stored(0), stored(3)] } });
  const viewer = await as("viewer");
  expect((await api.call("GET", path, { headers: viewer })).body).toEqual(saved.body);
  expect((await api.call("PATCH", path, { body, headers: viewer })).status).toBe(403);
});

test("a change is in the audit log, and one that changes nothing is not", async () => {
  const steps = [step(0), step(4)];
  await change({ enabled: true, steps });
  await change({ enabled: true, steps });
  await change({ steps });
  const events = await row(
    sql<{ n: number; changes: object }>`select count(*) over () as n, details->'changes' as changes from audit_events
      where site_id = ${siteId} and event = 'welcome.changed' order by id desc limit 1`,
    app.db,
  );
  expect(events!.changes).toMatchObject({ steps: { to: [stored(0), stored(4)] } });
  expect(events!.n).toBe(2);
});

describe("a welcome is refused, with all faults at once,", () => {
  test("where steps are wrong by themselves, and against each other", async () => {
    const other = await createPublisher(app);
    const { topicId } = await addTopic(app, other.actor, { siteId: other.siteId, name: "Theirs" });
    const steps = [
      step(2, { topicId }),
      step(2, { title: "", url: "javascript:alert(1)" }),
      step(1, { imageUrl: "http://news.example/a.png", more: 1 }),
      step(31, { body: "x".repeat(241) }),
    ];
    expect((await faultsOf({ enabled: 1, steps })).toSorted()).toEqual([
      "/enabled must be true or false",
      "/steps/0/topicId is no topic of this site",
      "/steps/1/afterDays must be later than the step before",
      "/steps/1/title must not be empty",
      "/steps/1/url must be an http(s):// URL without a user name",
      "/steps/2/afterDays must be later than the step before",
      '/steps/2/imageUrl must be an https:// URL, or "" for no image',
      "/steps/2/more is not a field of this request",
      "/steps/3/afterDays must be a whole number from 0 to 30",
      "/steps/3/body must have at most 240 characters, and has 241",
    ]);
  });

  test("where a step is not later than the one before, or its topic is unknown or retired", async () => {
    expect(await faultsOf({ steps: [step(3), step(3), step(2, { topicId: newId() })] })).toEqual([
      "/steps/1/afterDays must be later than the step before",
      "/steps/2/afterDays must be later than the step before",
      "/steps/2/topicId is no topic of this site",
    ]);
  });

  test("where there are more than four steps, or none while it is on", async () => {
    expect(await faultsOf({ steps: [0, 1, 2, 3, 4].map((day) => step(day)) })).toEqual(["/steps must be at most 4"]);
    expect(await faultsOf({ enabled: true, steps: [] })).toEqual(["/steps must not be empty"]);
    expect(await faultsOf("on")).toEqual([" must be a JSON object"]);
  });

  test("where a message is too large for push services", async () => {
    const long = `https://news.example/${"a".repeat(1_990)}`;
    expect(await faultsOf({ steps: [step(0, { url: long, imageUrl: long })] })).toEqual([
      expect.stringMatching(/^\/steps\/0\/imageUrl makes a message of \d+ bytes, and push services take 3993: shorten/),
    ]);
  });

  test("where it asks for clicks that the site does not count", async () => {
    await changeSite(app, publisher.actor, { siteId, receipts: "aggregate" });
    expect(await faultsOf({ steps: [step(0), step(1, { onlyUnclicked: true })] })).toEqual([
      "/steps/1/onlyUnclicked is not known: the site does not count who clicked",
    ]);
    await changeSite(app, publisher.actor, { siteId, receipts: "full" });
  });

  test("at a site of another tenant, or none", async () => {
    const other = await createPublisher(app);
    for (const unknown of [other.siteId, newId(), "none"]) {
      await expect(changeWelcome(app, publisher.actor, { siteId: unknown, body: {} })).rejects.toMatchObject({
        code: "not_found",
      });
      await expect(readWelcome(app, publisher.actor, { siteId: unknown })).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

test("a welcome whose steps no longer fit can be switched off, and not on", async () => {
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
  const steps = [step(0, { topicId }), step(1, { onlyUnclicked: true })];
  const { steps: written } = await change({ enabled: true, steps });
  await changeTopic(app, publisher.actor, { siteId, topicId, body: { retired: true } });
  await changeSite(app, publisher.actor, { siteId, receipts: "aggregate" });
  expect(await change({ enabled: false })).toEqual({ enabled: false, steps: written });
  const faults = [
    "/steps/0/topicId is no topic of this site",
    "/steps/1/onlyUnclicked is not known: the site does not count who clicked",
  ];
  expect(await faultsOf({ enabled: true })).toEqual(faults);
  expect(await faultsOf({ steps: [...steps, step(2)] })).toEqual(faults);
  await sql`update welcomes set enabled = true where site_id = ${siteId}`.execute(app.db);
  // The dashboard also sends the steps that it shows when it switches the welcome off.
  expect(await change({ enabled: false, steps })).toEqual({ enabled: false, steps: written });
  await changeSite(app, publisher.actor, { siteId, receipts: "full" });
});

describe("readers under way", () => {
  test("get the text of the moment at which a step is sent", async () => {
    await welcomeWith(app, publisher, step(0), step(3));
    await join();
    await nextStep(app);
    await welcomeWith(app, publisher, step(0), step(3, { title: "Corrected" }));
    await nextStep(app);
    expect((await welcomeRuns(app, siteId)).map(({ title }) => title)).toEqual(["Day 0", "Corrected"]);
  });

  test("who wait for a step that is removed with all after it get none any more", async () => {
    await welcomeWith(app, publisher, step(0), step(3), step(6));
    await join();
    await nextStep(app);
    await welcomeWith(app, publisher, step(0));
    await welcomeWith(app, publisher, step(0), step(3), step(6));
    expect((await underWay(app, siteId)).filter(({ minutes }) => minutes !== null)).toEqual([]);
  });

  test("get no more after the welcome is switched off; it keeps its texts for new readers", async () => {
    await deleteWelcomes(app, {});
    await welcomeWith(app, publisher, step(0), step(3));
    await join();
    expect(await change({ enabled: false })).toEqual({ enabled: false, steps: [stored(0), stored(3)] });
    await join();
    expect(await underWay(app, siteId)).toEqual([]);
    await change({ enabled: true });
    await join();
    expect(await underWay(app, siteId)).toHaveLength(1);
  });
});

/** Adds two readers. The first has got two of these steps, and the second has got one. */
async function joinTwo(...steps: object[]): Promise<void> {
  await deleteWelcomes(app, {});
  await welcomeWith(app, publisher, ...steps);
  await join();
  await nextStep(app);
  await join();
  await nextStep(app);
}

const next = async () =>
  (await underWay(app, siteId)).map(({ step, minutes }) => [
    step,
    minutes === null ? null : Math.round(minutes / 1_440),
  ]);

describe("readers under way, where steps come, go or change,", () => {
  test("who wait for a step that is removed get the next one on its day, and others theirs", async () => {
    await joinTwo(step(0), step(3), step(7));
    expect(await next()).toEqual([
      [3, 4],
      [2, 3],
    ]);
    await welcomeWith(app, publisher, step(0), step(7));
    expect(await next()).toEqual([
      [2, 4],
      [2, 7],
    ]);
    await joinTwo(step(0), step(3), step(7));
    await welcomeWith(app, publisher, step(3), step(7));
    expect(await next()).toEqual([
      [2, 4],
      [1, 3],
    ]);
  });

  test("get no step twice where one is put before it, or where they change places", async () => {
    await joinTwo(step(0), step(3), step(7));
    await welcomeWith(app, publisher, step(0), step(1), step(3), step(7));
    expect(await next()).toEqual([
      [4, 4],
      [3, 3],
    ]);
    await nextStep(app);
    const sent = (await welcomeRuns(app, siteId)).map(({ title }) => title);
    expect(sent.slice(-2).toSorted()).toEqual(["Day 3", "Day 7"]);
    await joinTwo(step(0), step(3), step(7));
    await welcomeWith(app, publisher, step(0, { title: "Day 3" }), step(3, { title: "Day 0" }), step(7));
    expect(await next()).toEqual([
      [3, 4],
      [3, 7],
    ]);
  });

  test("get no step twice where a change comes twice at the same time", async () => {
    await joinTwo(step(0), step(3), step(7));
    const changes = await holdOpen(app, async (tx) => {
      await sql`select from welcomes where site_id = ${siteId} for update`.execute(tx);
      const both = [1, 2].map(() => change({ steps: [step(3), step(7)] }));
      await eventually(async () => (await countLockWaits(app.db)) === both.length);
      return both;
    });
    await Promise.all(changes);
    expect(await next()).toEqual([
      [2, 4],
      [1, 3],
    ]);
  });

  test("go on at their place where days and texts change", async () => {
    await joinTwo(step(0), step(3), step(7));
    await welcomeWith(app, publisher, step(1), step(4, { title: "Day 3" }), step(9, { title: "New" }));
    expect(await next()).toEqual([
      [3, 4],
      [2, 3],
    ]);
  });
});
