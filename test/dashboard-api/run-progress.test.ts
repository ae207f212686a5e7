import { once } from "node:events";
import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createRunLooks, type RunFollower } from "../../src/dashboard-api/run-looks.ts";
import { followRun } from "../../src/dashboard-api/run-progress.ts";
import { createServer } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { endRuns, openFixture } from "../campaigns/fixture.ts";
import { createApi, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/** `app`, and how often it has read a whole run so far. */
function countingReads(app: App): { app: App; reads(): number } {
  let reads = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes("from receipt_hours")) reads++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { app: { ...app, db: app.db.withPlugin(plugin) }, reads: () => reads };
}

/** The names of the events of a stream, until it ends. */
async function namesOf(stream: Response): Promise<string[]> {
  return [...(await stream.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name!);
}

test("a run is told as it is, as it changes, and at its end", async () => {
  const fixture = await openFixture();
  const { tenantId } = fixture.publisher;
  const cookie = await signIn(fixture.api, ownerEmail(tenantId));
  const { runId } = await fixture.campaignThatIs("sending");
  const follow = () =>
    fetch(`${fixture.api.url}/dashboard/api/tenants/${tenantId}/runs/${runId}/events`, { headers: { cookie } });
  const stream = await follow();
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  expect(stream.headers.get("cache-control")).toBe("no-store");
  await endRuns(fixture.app);
  expect((await namesOf(stream)).slice(-2)).toEqual(["run", "end"]);
  expect(await namesOf(await follow())).toEqual(["run", "end"]);
});

test("a server that closes ends the streams that are open, and does not wait for their readers", async () => {
  const fixture = await openFixture();
  const { runId } = await fixture.campaignThatIs("sending");
  const server = createServer(fixture.app);
  const api = createApi(await server.listen({ port: 0, host: "127.0.0.1" }));
  const { tenantId } = fixture.publisher;
  const cookie = await signIn(api, ownerEmail(tenantId));
  const stream = await fetch(`${api.url}/dashboard/api/tenants/${tenantId}/runs/${runId}/events`, {
    headers: { cookie },
  });
  const reader = stream.body!.getReader();
  await reader.read();
  const startedMs = performance.now();
  await server.close();
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  await expect(reader.read()).rejects.toThrow();
});

test("however many follow a run, it is read once for all of them", async () => {
  const fixture = await openFixture();
  const { runId } = await fixture.campaignThatIs("sending");
  const counting = countingReads(fixture.app);
  const api = await serve(counting.app);
  const { tenantId } = fixture.publisher;
  const cookie = await signIn(api, ownerEmail(tenantId));
  const follow = () =>
    fetch(`${api.url}/dashboard/api/tenants/${tenantId}/runs/${runId}/events`, { headers: { cookie } });
  const streams = await Promise.all(Array.from({ length: 10 }, follow));
  const readers = streams.map((stream) => stream.body!.getReader());
  for (const reader of readers) await reader.read();
  const before = counting.reads();
  for (let looks = 0; looks < 4; looks++) await Promise.all(readers.map((reader) => reader.read()));
  // Four, and some more where two events come as one: not forty.
  expect(counting.reads() - before).toBeLessThanOrEqual(10);
  for (const reader of readers) await reader.cancel();
});

const anHourMs = 3_600_000;

test("who leaves ends nobody's looks but his own, and the last one leaves nothing behind", async () => {
  const { app, publisher, campaignThatIs } = await openFixture();
  const { runId } = await campaignThatIs("sending");
  const looks = createRunLooks(anHourMs);
  const [one, other] = [1, 2].map(() => looks.follow(app, publisher.actor, runId!)) as [RunFollower, RunFollower];
  expect(await one.now()).toMatchObject({ runId });
  const next = other.next();
  one.leave();
  expect(looks.followed()).toBe(1);
  other.leave();
  // An hour early: its timer is gone.
  await expect(next).rejects.toThrow("aborted");
  expect(looks.followed()).toBe(0);
});

test("who follows another tenant's run is told nothing, though its own people follow it at that moment", async () => {
  const { app, publisher, campaignThatIs } = await openFixture();
  const { runId } = await campaignThatIs("sending");
  const stranger = await createPublisher(app);
  const looks = createRunLooks(anHourMs);
  const own = looks.follow(app, publisher.actor, runId!);
  const foreign = looks.follow(app, stranger.actor, runId!);
  const [seen, refused] = await Promise.allSettled([own.now(), foreign.now()]);
  expect(seen).toMatchObject({ status: "fulfilled", value: { runId } });
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "not_found" } });
});

test("a stream whose run is not found is followed no more", async () => {
  const { app, publisher } = await openFixture();
  const looks = createRunLooks(anHourMs);
  await expect(followRun(app, publisher.actor, { runId: newId(), looks })).rejects.toMatchObject({ code: "not_found" });
  expect(looks.followed()).toBe(0);
});

test("a stream that its reader ends is followed no more", async () => {
  const { app, publisher, campaignThatIs } = await openFixture();
  const { runId } = await campaignThatIs("sending");
  const looks = createRunLooks(anHourMs);
  const stream = await followRun(app, publisher.actor, { runId: runId!, looks });
  await once(stream, "readable");
  expect(looks.followed()).toBe(1);
  stream.destroy();
  await once(stream, "close");
  expect(looks.followed()).toBe(0);
});
