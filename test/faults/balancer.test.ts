import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Answer, type Api, createApi, settingsOf } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { startService } from "../fixtures/service-process.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { startBalancer } from "./balancer.ts";
import { type Fleet, startFleet } from "./fleet.ts";

/** Two API processes and a worker. A balancer alternates the requests between the API processes. */
let fleet: Fleet;
let api: Api;
let cookie: string;

const readers = 1_500;
const perMinute = 100;

beforeAll(async () => {
  fleet = await startFleet(1, readers);
  const settings = {
    ...settingsOf(fleet.app),
    PUSH_SERVICES: fleet.pushService.origin,
    RATE_LIMIT_PER_MINUTE: String(perMinute),
  };
  const apis = await Promise.all([startService("api", settings), startService("api", settings)]);
  const balancer = await startBalancer(apis.map(({ url }) => url));
  api = createApi(balancer.url);
  cookie = await signIn(api, ownerEmail(fleet.publisher.tenantId));
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.call(method, `/dashboard/api/tenants/${fleet.publisher.tenantId}${path}`, { headers: { cookie }, body });

async function draft(): Promise<string> {
  const { siteId } = fleet.publisher;
  const text = { mode: "manual", url: "https://news.example/bridge", title: "Bridge opens", body: "On Saturday." };
  return (await call("POST", "/campaigns", { siteId, ...text })).body.campaignId;
}

test("a session that begins at one process is one at the other, and its end counts at both", async () => {
  const statuses = () => Promise.all([1, 2, 3, 4].map(async () => (await call("GET", "/undo-windows")).status));
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  const own = cookie;
  cookie = await signIn(api, ownerEmail(fleet.publisher.tenantId));
  await api.call("POST", "/dashboard/api/auth/sign-out", { headers: { cookie }, body: {} });
  expect(await statuses()).toEqual([401, 401, 401, 401]);
  cookie = own;
});

test("a send that one process holds for ten seconds is taken back at the other", async () => {
  const id = await draft();
  const begun = await call("POST", `/campaigns/${id}/undo-window`, {});
  expect(begun).toMatchObject({ status: 201, body: { status: "waiting" } });
  expect((await call("POST", `/campaigns/${id}/undo-window`, {})).body.undoWindowId).toBe(begun.body.undoWindowId);
  expect((await call("POST", `/campaigns/${id}/undo-window/undo`)).body.status).toBe("undone");
  expect((await call("GET", `/campaigns/${id}`)).body.status).toBe("draft");
});

test("an idempotency key counts at both, and each shows a run to its end that the other started", async () => {
  const { apiKey: key } = fleet.publisher;
  const path = `/v1/campaigns/${await draft()}/send`;
  const headers = { "idempotency-key": randomUUID() };
  // Waits until both streams have begun. Otherwise the run could be over before.
  const { process: worker } = fleet.workers[0]!;
  worker.kill("SIGSTOP");
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await api.call("POST", path, { key, headers }));
  expect(answers.map(({ status, body }) => [status, body.duplicate])).toEqual([
    [202, false],
    [202, true],
    [202, true],
    [202, true],
  ]);
  const runId = answers[0]!.body.runId as string;
  const begun = await Promise.all([follow(runId), follow(runId)]);
  worker.kill("SIGCONT");
  const streams = await Promise.all(begun.map(({ rest }) => rest()));
  for (const { states, isEnded } of streams) {
    expect(states.at(-1)).toMatchObject({ status: "completed", accepted: readers, pending: 0 });
    // The stream has seen the run before its end.
    expect(states.length).toBeGreaterThan(1);
    expect(isEnded).toBe(true);
  }
});

type Followed = { states: Record<string, unknown>[]; isEnded: boolean };

/** Resolves once the stream of a run's events has its first state. `rest` reads the stream to its end. */
async function follow(runId: string): Promise<{ rest(): Promise<Followed> }> {
  const url = `${api.url}/dashboard/api/tenants/${fleet.publisher.tenantId}/runs/${runId}/events`;
  const chunks = (await fetch(url, { headers: { cookie } })).body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const read = async () => {
    const { value, done } = await chunks.read();
    text += value ?? "";
    return !done;
  };
  while (!text.includes("event: run\n") && (await read()));
  return {
    async rest() {
      while (await read());
      const states = [...text.matchAll(/^event: run\ndata: (.*)$/gm)].map(([, json]) => JSON.parse(json!));
      return { states, isEnded: text.endsWith("event: end\ndata: {}\n\n") };
    },
  };
}

test("the limit of a key is one for both", async () => {
  const { apiKey: key } = await createPublisher(fleet.app);
  const answers = await Promise.all(
    Array.from({ length: perMinute + 10 }, () => api.call("GET", `/v1/runs/${randomUUID()}`, { key })),
  );
  expect(answers.filter(({ status }) => status === 429).length).toBe(10);
});
