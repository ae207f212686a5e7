import { once } from "node:events";
import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { followRun } from "../../src/dashboard-api/run-progress.ts";
import { createRunSnapshots, type RunFollower } from "../../src/dashboard-api/run-snapshots.ts";
import { createServer } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { endRuns, openCampaignFixture } from "../campaigns/fixture.ts";
import { createApi, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/** Returns `app`, and a function that returns how often it has read a whole run so far. */
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

/** Returns the names of a stream's events once it has ended. */
async function namesOf(stream: Response): Promise<string[]> {
  return [...(await stream.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name!);
}

test("a stream sends a run's first state, its changes, and its end", async () => {
  const fixture = await openCampaignFixture();
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

test("a server that closes ends open streams, and does not wait for their clients", async () => {
  const fixture = await openCampaignFixture();
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
  // The stream would not end by itself, because the client keeps reading.
  await server.close();
  await expect(reader.read()).rejects.toThrow();
});

test("a run that several clients follow is read once for all of them", async () => {
  const fixture = await openCampaignFixture();
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
  for (let reads = 0; reads < 4; reads++) await Promise.all(readers.map((reader) => reader.read()));
  // Four reads are enough. There are a few more if two events arrive in one chunk, but not forty.
  expect(counting.reads() - before).toBeLessThanOrEqual(10);
  for (const reader of readers) await reader.cancel();
});

const anHourMs = 3_600_000;

test("a follower that leaves does not stop the reads of others, and the last one stops them", async () => {
  const { app, publisher, campaignThatIs } = await openCampaignFixture();
  const { runId } = await campaignThatIs("sending");
  const snapshots = createRunSnapshots(anHourMs);
  const [one, other] = [1, 2].map(() => snapshots.follow(app, publisher.actor, runId!)) as [RunFollower, RunFollower];
  expect(await one.current()).toMatchObject({ runId });
  const next = other.next();
  one.leave();
  expect(snapshots.followedRuns()).toBe(1);
  other.leave();
  // The promise rejects an hour early, because the timer was stopped.
  await expect(next).rejects.toThrow("aborted");
  expect(snapshots.followedRuns()).toBe(0);
});

test("a follower of another tenant's run gets nothing, even while its members follow it", async () => {
  const { app, publisher, campaignThatIs } = await openCampaignFixture();
  const { runId } = await campaignThatIs("sending");
  const stranger = await createPublisher(app);
  const snapshots = createRunSnapshots(anHourMs);
  const own = snapshots.follow(app, publisher.actor, runId!);
  const foreign = snapshots.follow(app, stranger.actor, runId!);
  const [seen, refused] = await Promise.allSettled([own.current(), foreign.current()]);
  expect(seen).toMatchObject({ status: "fulfilled", value: { runId } });
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "not_found" } });
});

test("a run that is not found has no follower afterwards", async () => {
  const { app, publisher } = await openCampaignFixture();
  const snapshots = createRunSnapshots(anHourMs);
  await expect(followRun(app, publisher.actor, { runId: newId(), snapshots })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(snapshots.followedRuns()).toBe(0);
});

test("a stream that its client closes leaves no follower", async () => {
  const { app, publisher, campaignThatIs } = await openCampaignFixture();
  const { runId } = await campaignThatIs("sending");
  const snapshots = createRunSnapshots(anHourMs);
  const stream = await followRun(app, publisher.actor, { runId: runId!, snapshots });
  await once(stream, "readable");
  expect(snapshots.followedRuns()).toBe(1);
  stream.destroy();
  await once(stream, "close");
  expect(snapshots.followedRuns()).toBe(0);
});
