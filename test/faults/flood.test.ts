import { Agent, request } from "node:http";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import type { FaultFixture } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const megabyte = 1024 * 1024;
const connections = 32;
/** More than the 6,000 that one address may send in a minute. */
const requests = 7_000;
const eventsPerRequest = 50;
/** How many receipts the service buffers before it writes them: one entry for each batch with receipts. */
const entriesAtMost = 50_000;

const postgres = sharedPostgres();

test("a flood of receipts is answered 204 or 429, with drops counted and memory bounded", () =>
  withFixture({ postgres, recipients: 4_000, answerDelayMs: 500 }, async (fixture) => {
    const other = await fixture.addPublisher(100);
    // With a small heap, garbage is collected early, so the measured memory is memory in use. With an even smaller
    // heap, V8's collector would run all the time and delay the send. The memory at the start of a process depends on
    // the machine's cores and not on the flood.
    const service = await fixture.start("start", { settings: { NODE_OPTIONS: "--max-old-space-size=256" } });
    const campaignId = await fixture.create(other);
    const { runId } = await fixture.send();
    await fixture.push.received(200);
    const bytesBefore = (await readMetrics(service.url))("process_resident_memory_bytes");

    const { answers, mostBytes } = await holdOpen(fixture.app, async (tx) => {
      await sql`lock table receipt_bits in access exclusive mode`.execute(tx);
      const flood = startFlood(fixture, service.url, runId);
      const memory = watchMemory(service.url, flood.ended);
      await eventually(async () => flood.answers.length > 500, scaleByLoad(30_000));
      expect(flood.answers.length).toBeLessThan(requests);
      const sent = await fixture.call("POST", `/v1/campaigns/${campaignId}/send`, { apiKey: other.apiKey });
      expect(sent.status).toBe(202);
      expect(sent.endedAt - sent.at).toBeLessThan(scaleByLoad(5_000));
      expect(await fixture.ended(sent.body.runId as string)).toBe("completed");
      await flood.ended;
      return { answers: flood.answers, mostBytes: await memory };
    });
    expect(bytesBefore).toBeGreaterThan(0);
    expect(mostBytes - bytesBefore).toBeLessThan(250 * megabyte);
    const taken = answers.filter((status) => status === 204).length;
    const refused = answers.filter((status) => status === 429).length;
    expect(taken).toBeGreaterThan(0);
    expect(taken + refused).toBe(requests);

    const metrics = await readMetrics(service.url);
    // The metrics have no series for a status that no answer had.
    const answeredWith = (status: number) =>
      metrics(`pressbell_http_request_duration_seconds_count{method="POST",route="/sdk/events",status="${status}"}`) ||
      0;
    expect([answeredWith(204), answeredWith(429)]).toEqual([taken, refused]);
    // In addition to the buffer, the same number may be on its way to the database.
    const dropped = metrics("pressbell_receipts_dropped_total");
    expect(dropped).toBeLessThanOrEqual(taken * eventsPerRequest - entriesAtMost);
    expect(dropped).toBeGreaterThanOrEqual(taken * eventsPerRequest - 2 * entriesAtMost);

    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  }));

/** Sends receipts for more and more batches of the run over open connections, as readers of a huge audience would. */
function startFlood(fixture: FaultFixture, url: string, runId: string): { answers: number[]; ended: Promise<unknown> } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: number[] = [];
  let sent = 0;
  const pushService = async () => {
    while (sent < requests) answers.push(await report(`${url}/sdk/events`, agent, eventsOf(fixture, runId, sent++)));
  };
  const ended = Promise.all(Array.from({ length: connections }, pushService)).finally(() => agent.destroy());
  return { answers, ended };
}

function eventsOf({ app }: FaultFixture, runId: string, turn: number): string {
  const events = Array.from({ length: eventsPerRequest }, (_, i) => {
    const { token } = createMessageSigner(app.secrets.tokenKey, runId, turn * eventsPerRequest + i + 1)(0);
    return { token, kind: "displayed" };
  });
  return JSON.stringify({ events });
}

function report(url: string, agent: Agent, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode!));
    });
    sent.once("error", reject).end(body);
  });
}

/** Reads the resident memory of the process until `ended` resolves. Returns the highest value in bytes. */
async function watchMemory(url: string, ended: Promise<unknown>): Promise<number> {
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  let mostBytes = 0;
  while (!isOver) mostBytes = Math.max(mostBytes, (await readMetrics(url))("process_resident_memory_bytes"));
  return mostBytes;
}

/** Reads /metrics. Returns a function that returns the value of a series by its name and labels. */
async function readMetrics(url: string): Promise<(series: string) => number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split("\n");
  return (series) => Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1));
}
