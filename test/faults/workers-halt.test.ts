import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { readRaw } from "../http/raw.ts";
import { holdersOf } from "./fixture.ts";
import { randomFrom } from "./random.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

test("workers halt at a stop: fifty stops get one answer, and nothing is posted after 1 s", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(600);
    // The stops of a run wait for one another. On a busy machine some are told to try again (503).
    const stop = () =>
      eventually(async () => {
        const answer = await fixture.call("POST", `/v1/runs/${runId}/stop`);
        return answer.status !== 503 && answer;
      });
    const stops = await Promise.all(Array.from({ length: 50 }, stop));
    expect(stops.map(({ status }) => status)).toEqual(stops.map(() => 200));
    expect(stops.every(({ body }) => body.status === "stopping" || body.status === "stopped")).toBe(true);
    expect(await fixture.ended(runId)).toBe("stopped");
    const again = await fixture.call("POST", `/v1/runs/${runId}/stop`);
    expect(again).toMatchObject({ status: 200, body: { status: "stopped" } });

    const done = await fixture.send(await fixture.addPublisher(50));
    expect(await fixture.ended(done.runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  }));

test("a stop of a completed run is refused with 409", () =>
  withFixture({ postgres, recipients: 50 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    expect(await fixture.ended(runId)).toBe("completed");
    const late = await fixture.call("POST", `/v1/runs/${runId}/stop`);
    expect(late).toMatchObject({ status: 409, body: { code: "illegal_transition", from: "completed" } });
    expect(await fixture.violations()).toEqual([]);
  }));

test("workers halt within two seconds at each of twenty pauses, without loss or repeats", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(300);
    const random = randomFrom(27);
    for (let turn = 0; turn < 20; turn++) {
      await fixture.pause(true);
      // Pauses of various lengths. Two of them are longer than the two seconds in which a pause takes effect.
      await delay(turn % 10 === 5 ? 3_000 : random.between(0, 400));
      await fixture.pause(false);
      await delay(random.between(0, 400));
    }
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
    expect((await fixture.push.stats()).repeated).toBe(0);
  }));

test("workers halt at SIGTERM: messages in flight get their answers, exit code 0, no repeats", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 500 }, async (fixture) => {
    const old = await fixture.start("start");
    const { runId } = await fixture.send();
    await fixture.push.received(400);
    const startedMs = performance.now();
    const ended = old.terminate();
    await old.service.printed(/waiting for what is in flight/);
    const during = await fixture.call("GET", `/v1/runs/${runId}`, { url: old.url });
    expect([0, 200, 503]).toContain(during.status);
    expect(await ended).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(scaleByLoad(25_000));
    expect(await holdersOf(fixture, runId)).toEqual([]);
    await fixture.start("start");
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
    expect((await fixture.evidence()).runs[0]!.sums.repeated).toBe(0);
  }));

test("an API process at SIGTERM answers its request, and closes idle connections at once", () =>
  withFixture({ postgres, recipients: 0 }, async ({ publisher: { apiKey, siteId, tenantId }, start }) => {
    const api = await start("api");
    const text = { mode: "manual", url: "https://news.example/bridge", title: "Bridge opens", body: "On Saturday." };
    const body = JSON.stringify({ siteId, ...text });
    const headers = `Host: localhost\r\nAuthorization: Bearer ${apiKey}\r\n`;
    const [caller, quiet] = [await callTo(api.url), await callTo(api.url)];
    caller.socket.write(
      `POST /v1/tenants/${tenantId}/campaigns HTTP/1.1\r\n${headers}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    // The server answers 100 when it has the head and waits for the body.
    await caller.received(/^HTTP\/1.1 100 Continue\r\n\r\n/);
    const ended = api.terminate();
    await api.service.printed(/waiting for what is in flight/);
    await eventually(async () => (await refusalOf(`${api.url}/healthz`)) === "ECONNREFUSED", scaleByLoad(10_000));
    expect(await quiet.closed).toBe("");
    caller.socket.write(body);
    const [, answer] = (await caller.closed).split(/(?=HTTP\/1.1 )/);
    const { status, head, body: created } = readRaw(answer!);
    expect({ status, created }).toMatchObject({ status: 201, created: { siteId, title: text.title } });
    expect(head).toMatch(/^connection: close$/im);
    expect(await ended).toBe(0);
  }));

test("workers halt in a rolling restart: each in turn is replaced during a run, without repeats", () =>
  withFixture({ postgres, recipients: 12_000, answerDelayMs: 2_000 }, async (fixture) => {
    const first = await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(300);
    for (const old of first.slice(0, 2)) {
      const joined = await fixture.start("worker");
      const ended = old.terminate();
      const hasBatches = async () => (await holdersOf(fixture, runId)).includes(joined.pid);
      await eventually(hasBatches, scaleByLoad(20_000), "the new worker got no batches");
      expect(await ended).toBe(0);
    }
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
    const { receipts, runs } = await fixture.evidence();
    expect([receipts.length, runs[0]!.sums.repeated]).toEqual([12_000, 0]);
  }));

type RawCaller = {
  socket: Socket;
  /** Resolves once the data received so far matches `pattern`. */
  received(pattern: RegExp): Promise<void>;
  /** Resolves with all data received when the server has closed the connection. */
  closed: Promise<string>;
};

/** Opens a raw connection, to send requests that an HTTP client would not send. */
async function callTo(url: string): Promise<RawCaller> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    answer += chunk;
  });
  const closed = once(socket, "close").then(() => answer);
  await once(socket, "connect");
  return {
    socket,
    closed,
    async received(pattern) {
      while (!pattern.test(answer)) await once(socket, "data");
    },
  };
}

/** Returns the error code of a GET that gets no answer, or undefined if it gets one. */
async function refusalOf(url: string): Promise<string | undefined> {
  try {
    await fetch(url);
    return undefined;
  } catch (error) {
    return ((error as Error).cause as NodeJS.ErrnoException).code;
  }
}
