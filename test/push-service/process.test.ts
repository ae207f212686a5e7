import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { afterFile } from "../fixtures/cleanup.ts";
import { startPushService } from "../fixtures/push-service/push-service.ts";
import type { Subscription } from "../fixtures/push-service/subscriptions.ts";
import { generateVapidKeys, postHttp1, validMessage } from "./sender.ts";

const main = join(import.meta.dirname, "../fixtures/push-service/main.ts");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "push-process-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Ready = { origin: string; caFile: string; control: string };
async function startProcess(...flags: string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
  afterFile(() => child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { child, ready: JSON.parse(String(line)) };
}

test("the process creates subscriptions, accepts and shows messages, applies behaviours", async () => {
  const { child, ready } = await startProcess("--ca-file", join(folder, "ca.pem"));
  const ask = async (method: string, path: string, body?: object): Promise<unknown> =>
    (await fetch(ready.control + path, { method, ...(body && { body: JSON.stringify(body) }) })).json();
  const file = join(folder, "subscriptions.ndjson");
  expect(await ask("POST", `/subscriptions?count=3&file=${encodeURIComponent(file)}`)).toEqual({ count: 3 });
  const subscription: Subscription = JSON.parse((await readFile(file, "utf8")).split("\n")[1]!);

  const caCertificate = await readFile(ready.caFile, "utf8");
  const service = { origin: ready.origin, caCertificate };
  const message = validMessage(service, subscription, generateVapidKeys(), { title: "Hello" });
  expect((await postHttp1(service, message)).status).toBe(201);
  expect(await ask("GET", "/stats")).toMatchObject({ received: 1, accepted: 1, byStatus: { 201: 1 } });
  expect(await ask("GET", "/sample?count=9")).toEqual([
    { endpoint: subscription.endpoint, payload: { title: "Hello" } },
  ]);

  expect(await ask("POST", "/behaviour", { behaviour: "gone", match: { from: 1, to: 2 } })).toEqual({ ok: true });
  expect((await postHttp1(service, message)).status).toBe(410);
  expect(await ask("DELETE", "/behaviour")).toEqual({ ok: true });
  expect((await postHttp1(service, message)).status).toBe(201);
  expect(await ask("POST", "/reset")).toEqual({ ok: true });
  expect(await ask("GET", "/stats")).toMatchObject({ received: 0 });

  expect(await ask("POST", "/behaviour", { behaviour: "sleepy" })).toEqual({ reason: "no behaviour is called sleepy" });
  expect(await ask("GET", "/sample?count=none")).toEqual({ reason: "count is not a whole number above 0" });
  expect(await ask("GET", "/other")).toMatchObject({ reason: "no such route" });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("it ends when its stdin closes", async () => {
  const { child, ready } = await startProcess("--end-with-stdin");
  const ended = once(child, "exit");
  child.stdin?.end();
  expect(await ended).toEqual([0, null]);
  await expect(readFile(ready.caFile)).rejects.toThrow("ENOENT");
});

/** A program that connects in the main thread and in a worker thread, and prints a line with the result of each. */
const client = `
const { Worker, isMainThread, workerData } = require("node:worker_threads");
const session = require("node:http2").connect(workerData ?? process.argv[1]);
session.on("error", (error) => { console.log(error.code); next(); });
session.on("connect", (_, socket) => { console.log("authorized " + socket.authorized); session.destroy(); next(); });
function next() {
  if (isMainThread) new Worker(process.env.SOURCE, { eval: true, workerData: process.argv[1] });
}`;

test.each([
  ["127.0.0.1", "authorized true"],
  ["localhost", "authorized true"],
  ["127.0.0.1", "DEPTH_ZERO_SELF_SIGNED_CERT"],
] as const)(
  "a process with NODE_EXTRA_CA_CERTS trusts it as %s, also in its threads; a process without does not: %s",
  async (host, seen) => {
    const service = await startPushService({ host });
    const trusting = seen === "authorized true" ? { NODE_EXTRA_CA_CERTS: service.caFile } : {};
    const child = spawn(process.execPath, ["-e", client, service.origin], {
      env: { ...process.env, ...trusting, SOURCE: client },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const text = Buffer.concat(await child.stdout.toArray()).toString();
    await service.close();
    expect(text.trim().split("\n")).toEqual([seen, seen]);
  },
);
