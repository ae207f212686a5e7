import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { onThisMachine } from "../fixtures/busy-machine.ts";
import { eventually } from "../fixtures/eventually.ts";
import { readRaw } from "../http/raw.ts";
import { holdersOf, withFixture } from "./fixture.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { randomFrom } from "./random.ts";

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  return postgres.close;
});

test("workers halt at a stop: of fifty at once each is answered alike, nothing is posted a second later, and a finished run refuses", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(600);
    const stops = await Promise.all(Array.from({ length: 50 }, () => fixture.call("POST", `/v1/runs/${runId}/stop`)));
    expect(stops.map(({ status }) => status)).toEqual(stops.map(() => 200));
    expect(stops.every(({ body }) => body.status === "stopping" || body.status === "stopped")).toBe(true);
    expect(await fixture.ended(runId)).toBe("stopped");
    const again = await fixture.call("POST", `/v1/runs/${runId}/stop`);
    expect(again).toMatchObject({ status: 200, body: { status: "stopped" } });

    const done = await fixture.send(await fixture.addPublisher(50));
    expect(await fixture.ended(done.runId)).toBe("completed");
    expect(await fixture.faults()).toEqual([]);
  }));

test("a stop of a run that is completed is refused with 409", () =>
  withFixture({ postgres, recipients: 50 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    expect(await fixture.ended(runId)).toBe("completed");
    const late = await fixture.call("POST", `/v1/runs/${runId}/stop`);
    expect(late).toMatchObject({ status: 409, body: { code: "illegal_transition", from: "completed" } });
    expect(await fixture.faults()).toEqual([]);
  }));

test("workers halt at a pause, switched on and off twenty times: within two seconds each time, and nobody is lost or repeated", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(300);
    const random = randomFrom(27);
    for (let turn = 0; turn < 20; turn++) {
      await fixture.pause(true);
      // How long a pause is, is the very thing that is tried; two of them outlast the two seconds.
      await delay(turn % 10 === 5 ? 3_000 : random.between(0, 400));
      await fixture.pause(false);
      await delay(random.between(0, 400));
    }
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.faults()).toEqual([]);
    expect((await fixture.push.stats()).repeated).toBe(0);
  }));

test("workers halt when asked to end: new calls get no answer or 503, what is in flight is awaited, exit 0, and nobody is repeated", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 500 }, async (fixture) => {
    const leaver = await fixture.start("start");
    const { runId } = await fixture.send();
    await fixture.push.received(400);
    const startedMs = performance.now();
    const ended = leaver.ask();
    await leaver.service.printed(/waiting for what is in flight/);
    const during = await fixture.call("GET", `/v1/runs/${runId}`, { url: leaver.url });
    expect([0, 200, 503]).toContain(during.status);
    expect(await ended).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(onThisMachine(25_000));
    expect(await holdersOf(fixture, runId)).toEqual([]);
    await fixture.start("start");
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.faults()).toEqual([]);
    expect((await fixture.evidence()).runs[0]!.sums.repeated).toBe(0);
  }));

test("an API process that is asked to end with a request under way answers it whole, ends its connection with it and the idle ones at once, and takes no new one", () =>
  withFixture({ postgres, recipients: 0 }, async ({ publisher: { apiKey, siteId, tenantId }, start }) => {
    const api = await start("api");
    const text = { mode: "manual", url: "https://news.example/bridge", title: "Bridge opens", body: "On Saturday." };
    const body = JSON.stringify({ siteId, ...text });
    const headers = `Host: localhost\r\nAuthorization: Bearer ${apiKey}\r\n`;
    const [caller, quiet] = [await callTo(api.url), await callTo(api.url)];
    caller.socket.write(
      `POST /v1/tenants/${tenantId}/campaigns HTTP/1.1\r\n${headers}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    // It says so when it has the head and waits for the body.
    await caller.received(/^HTTP\/1.1 100 Continue\r\n\r\n/);
    const ended = api.ask();
    await api.service.printed(/waiting for what is in flight/);
    await eventually(async () => (await refusalOf(`${api.url}/healthz`)) === "ECONNREFUSED", onThisMachine(10_000));
    expect(await quiet.closed).toBe("");
    caller.socket.write(body);
    const [, answer] = (await caller.closed).split(/(?=HTTP\/1.1 )/);
    const { status, head, body: created } = readRaw(answer!);
    expect({ status, created }).toMatchObject({ status: 201, created: { siteId, title: text.title } });
    expect(head).toMatch(/^connection: close$/im);
    expect(await ended).toBe(0);
  }));

test("workers halt in a rolling restart: each in turn is asked to end while a run goes on, one joins for it, and nobody is repeated", () =>
  withFixture({ postgres, recipients: 12_000, answerDelayMs: 2_000 }, async (fixture) => {
    const first = await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(300);
    for (const leaver of first.slice(0, 2)) {
      const joined = await fixture.start("worker");
      const ended = leaver.ask();
      const isAtWork = async () => (await holdersOf(fixture, runId)).includes(joined.pid);
      await eventually(isAtWork, onThisMachine(20_000), "the one that joined got nothing to do");
      expect(await ended).toBe(0);
    }
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.faults()).toEqual([]);
    const { receipts, runs } = await fixture.evidence();
    expect([receipts.length, runs[0]!.sums.repeated]).toEqual([12_000, 0]);
  }));

type RawCaller = {
  socket: Socket;
  /** Resolves once `pattern` is in what has come back. */
  received(pattern: RegExp): Promise<void>;
  /** All that has come back when the server has closed. */
  closed: Promise<string>;
};

/** Opens a connection of its own, to write what HTTP clients would not. */
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
    ...{ socket, closed },
    async received(pattern) {
      while (!pattern.test(answer)) await once(socket, "data");
    },
  };
}

/** Why a GET got no answer at all; undefined where it got one. */
async function refusalOf(url: string): Promise<string | undefined> {
  try {
    await fetch(url);
    return undefined;
  } catch (error) {
    return ((error as Error).cause as NodeJS.ErrnoException).code;
  }
}
