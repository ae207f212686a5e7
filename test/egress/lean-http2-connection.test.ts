import { duplexPair } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createHttp2Receiver } from "../../src/egress/http2/receiver.ts";
import type { PushConnection } from "../../src/egress/push/connection.ts";
import { createExchange, type PushAnswer } from "../../src/egress/push/exchange.ts";
import { LeanHttp2Connection } from "../../src/egress/push/lean-http2-connection.ts";
import {
  type Frame,
  frame,
  frameFlags,
  frameReader,
  frameTypes,
  headerBlock,
  settingsPayload,
  uint32s,
} from "../fixtures/frames.ts";
import { startTurnClock } from "../fixtures/turn-clock.ts";
import { message, range } from "./contract/fixture.ts";

const limits = { deadlineMs: 10_000, idleMs: 60_000, maxStreams: 100, silenceMs: 3_000 };
const created = headerBlock({ ":status": "201" });
const greeting = frame(frameTypes.settings, 0, 0, settingsPayload({ maxConcurrentStreams: 50 }));

let clock: ReturnType<typeof startTurnClock>;
beforeEach(() => {
  clock = startTurnClock();
});
afterEach(() => clock.stop());

/**
 * Opens a connection over an in-memory stream. The test calls `sweep`, which the transport calls several times a
 * second.
 */
function openConnection() {
  const [near, far] = duplexPair();
  const ended: PushConnection[] = [];
  const answers: PushAnswer[][] = [];
  const received: Frame[] = [];
  const read = frameReader((each) => received.push(each));
  let writes = 0;
  let onOver = () => {};
  const over = new Promise<void>((resolve) => {
    onOver = resolve;
  });
  far.on("data", (bytes: Buffer) => {
    writes += 1;
    read(bytes);
  });
  for (const side of [near, far]) side.on("error", () => {});
  const connection = new LeanHttp2Connection(near, greeting, "push", limits, {
    onCapacityChange() {},
    onEnd(connection) {
      ended.push(connection);
      onOver();
    },
  });
  return {
    far,
    near,
    connection,
    answers,
    ended,
    received,
    writes: () => writes,
    post(n: number, bodyBytes?: number, mayStart = () => true) {
      const given: PushAnswer[] = [];
      answers.push(given);
      const body = bodyBytes === undefined ? {} : { body: Buffer.alloc(bodyBytes) };
      const request = { ...message("https://push", n), ...body, mayStart };
      const exchange = createExchange(request, 0, (answer) => given.push(answer));
      if (connection.hasCapacity()) connection.write(exchange, performance.now());
      else given.push({ kind: "notSent", reason: "no room" });
    },
    /** Advances the clock beyond all timeouts. */
    async end() {
      connection.sweep(performance.now() + limits.deadlineMs + 1);
      connection.close();
      connection.sweep(performance.now() + 10 * limits.deadlineMs);
      await over;
    },
  };
}

describe("the requests of one turn of the event loop", () => {
  test("leave in one write", async () => {
    const fixture = openConnection();
    await turns(2);
    const before = fixture.writes();
    for (const n of range(50)) fixture.post(n);
    await turns(3);
    expect(fixture.writes() - before).toBe(1);
    await fixture.end();
  });

  test("are not sent if the connection ends in that turn", async () => {
    const fixture = openConnection();
    fixture.post(0);
    await turns(2);
    fixture.post(1);
    fixture.near.destroy();
    await turns(2);
    expect(fixture.answers).toEqual([
      [{ kind: "uncertain", reason: "stream_closed: 8" }],
      [{ kind: "notSent", reason: "connection_lost" }],
    ]);
    expect(fixture.ended).toEqual([fixture.connection]);
  });

  test("include no more acknowledgements if the peer does not read them", async () => {
    const fixture = openConnection();
    fixture.far.pause();
    const pings = Buffer.concat(range(500).map(() => frame(frameTypes.ping, 0, 0, Buffer.alloc(8))));
    for (let sent = 0; fixture.ended.length === 0 && sent < 2_000; sent += 1) {
      fixture.far.write(pings);
      await turns(1);
      if (fixture.connection.fault !== undefined) break;
    }
    expect(fixture.connection.fault).toBe("unread_answers");
    fixture.near.destroy();
  });
});

describe("a turn in which the process stood still", () => {
  test("does not start its requests, and earlier ones are answered", async () => {
    const fixture = openConnection();
    fixture.post(0);
    await turns(2);
    const before = fixture.writes();
    fixture.post(1);
    fixture.post(2);
    clock.advance(250);
    await turns(3);
    expect(fixture.writes()).toBe(before);
    const notStarted = [{ kind: "notSent", reason: "not_started" }];
    expect(fixture.answers).toEqual([[], notStarted, notStarted]);
    expect(fixture.connection.hasCapacity()).toBe(false);

    fixture.far.write(frame(frameTypes.headers, frameFlags.endHeaders | frameFlags.endStream, 1, created));
    await turns(2);
    expect(fixture.answers[0]).toMatchObject([{ kind: "answered", status: 201 }]);
    expect(fixture.writes()).toBe(before);
    await fixture.end();
  });

  test("does not start a request whose head has left", async () => {
    const fixture = openConnection();
    await turns(2);
    // After the head of the second request, the buffer of 64 KB is full.
    fixture.post(0, 60_000);
    fixture.post(1, 5_400);
    clock.advance(250);
    await turns(3);
    expect(fixture.answers).toEqual([[], [{ kind: "notSent", reason: "not_started" }]]);
    const frames = fixture.received.filter(({ id, type }) => id > 0 && type !== frameTypes.rstStream);
    expect(frames.filter(({ id }) => id === 3)).toMatchObject([{ type: frameTypes.headers }]);
    expect(frames.findLast(({ id }) => id === 1)).toMatchObject({ flags: frameFlags.endStream });
    await fixture.end();
  });

  test("leaves earlier ones the time that they have, also if the peer is silent for long", async () => {
    const fixture = openConnection();
    fixture.post(0);
    await turns(2);
    fixture.post(1);
    clock.advance(250);
    await turns(3);
    for (const ms of [3_001, 6_002, 9_003]) fixture.connection.sweep(performance.now() + ms);
    await turns(2);
    fixture.far.write(frame(frameTypes.headers, frameFlags.endHeaders | frameFlags.endStream, 1, created));
    await turns(2);
    expect(fixture.answers).toMatchObject([[{ kind: "answered", status: 201 }], [{ kind: "notSent" }]]);
    await fixture.end();
  });
});

test("a body whose window opened is not sent if the process stood still in that turn", async () => {
  const fixture = openConnection();
  fixture.far.write(frame(frameTypes.settings, 0, 0, settingsPayload({ initialWindowSize: 0 })));
  await turns(2);
  // The process stalls right after the permission.
  fixture.post(0, undefined, () => {
    clock.advance(250);
    return true;
  });
  await turns(2);
  fixture.far.write(frame(frameTypes.windowUpdate, 0, 1, uint32s(1_000)));
  await turns(3);
  expect(fixture.answers).toEqual([[{ kind: "notSent", reason: "not_started" }]]);
  expect(fixture.received.filter(({ type }) => type === frameTypes.data)).toEqual([]);
  await fixture.end();
});

/** Valid frames for streams 1 to 9, as bytes. */
const plausible = fc.oneof(
  fc
    .record({
      id: fc.constantFrom(1, 3, 5, 7, 9),
      status: fc.constantFrom(100, 200, 201, 404, 429, 503),
      ends: fc.boolean(),
    })
    .map(({ id, status, ends }) =>
      frame(
        frameTypes.headers,
        frameFlags.endHeaders | (ends ? frameFlags.endStream : 0),
        id,
        headerBlock({ ":status": String(status), "retry-after": "9" }),
      ),
    ),
  fc
    .record({ id: fc.constantFrom(1, 3, 5, 7, 9), length: fc.nat(40_000), ends: fc.boolean() })
    .map(({ id, length, ends }) =>
      frame(frameTypes.data, ends ? frameFlags.endStream : 0, id, Buffer.alloc(Math.min(length, 16_384), "d")),
    ),
  fc
    .record({ id: fc.constantFrom(1, 3, 5, 7, 9), code: fc.nat(14) })
    .map(({ id, code }) => frame(frameTypes.rstStream, 0, id, uint32s(code))),
  fc
    .record({ id: fc.constantFrom(0, 1, 3, 9), bytes: fc.nat(2 ** 31 - 1) })
    .map(({ id, bytes }) => frame(frameTypes.windowUpdate, 0, id, uint32s(bytes))),
  fc
    .record({ maxConcurrentStreams: fc.nat(10), initialWindowSize: fc.nat(70_000) })
    .map((values) => frame(frameTypes.settings, 0, 0, settingsPayload(values))),
  fc.nat(9).map((lastId) => frame(frameTypes.goaway, 0, 0, uint32s(lastId, 0))),
  fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => frame(frameTypes.ping, 0, 0, Buffer.from(bytes))),
);

const anyFrame = fc
  .record({ type: fc.nat(12), flags: fc.nat(255), id: fc.nat(12), payload: fc.uint8Array({ maxLength: 40 }) })
  .map(({ type, flags, id, payload }) => frame(type, flags, id, Buffer.from(payload)));

/** A frame with one byte changed. */
const mutated = fc
  .record({ bytes: fc.oneof(plausible, anyFrame), at: fc.nat(), to: fc.nat(255) })
  .map(({ bytes, at, to }) => Buffer.from(bytes.map((byte, i) => (i === at % bytes.length ? to : byte))));

const randomBytes = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
const stream = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: plausible },
      { weight: 1, arbitrary: anyFrame },
      { weight: 1, arbitrary: mutated },
      { weight: 1, arbitrary: randomBytes },
    ),
    { maxLength: 25 },
  )
  .map((parts) => Buffer.concat(parts));
const cuts = fc.array(fc.nat(400), { minLength: 1, maxLength: 8 });

describe("arbitrary bytes from a peer", () => {
  test("are parsed the same however they are split, and nothing throws", () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, sizes) => {
        expect(parse(split(bytes, sizes))).toEqual(parse([bytes]));
      }),
      { numRuns: 1_500 },
    );
  });

  test("end each request exactly once, with a status that the peer has sent", async () => {
    const counters = { answered: 0, notSent: 0, uncertain: 0 };
    await fc.assert(
      fc.asyncProperty(stream, cuts, async (bytes, sizes) => {
        const fixture = openConnection();
        for (const n of range(5)) fixture.post(n);
        await turns(1);
        for (const chunk of split(bytes, sizes)) if (fixture.far.writable) fixture.far.write(chunk);
        await turns(3);
        await fixture.end();
        const sent = statusesIn(bytes);
        fixture.answers.forEach((given, n) => {
          expect(given).toHaveLength(1);
          const [answer] = given as [PushAnswer];
          counters[answer.kind] += 1;
          if (answer.kind === "answered") expect(sent.get(2 * n + 1) ?? []).toContain(answer.status);
        });
        expect(fixture.ended).toEqual([fixture.connection]);
      }),
      { numRuns: 400 },
    );
    // Each of the three kinds must occur often enough for the assertions above to mean something.
    expect(Math.min(...Object.values(counters))).toBeGreaterThan(20);
  });
});

function parse(parts: Buffer[]): unknown[] {
  const events: unknown[] = [];
  const record =
    (what: string) =>
    (...values: unknown[]) => {
      events.push([what, ...values.map((value) => (Buffer.isBuffer(value) ? value.toString("hex") : value))]);
      return undefined;
    };
  const read = createHttp2Receiver(
    {
      wasOpened: (id) => id % 2 === 1 && id < 10,
      onHead: record("head"),
      onBody: record("body"),
      onReset: record("reset"),
      onWindowUpdate: record("window"),
      onSettings: record("settings"),
      onPing: record("ping"),
      onGoaway: record("goaway"),
    },
    () => true,
  );
  for (const part of parts) {
    const fault = read(part);
    if (fault === undefined) continue;
    events.push(fault);
    break;
  }
  return events;
}

function split(bytes: Buffer, sizes: number[]): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length]! + 1;
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

/**
 * Returns, by stream, all bytes of complete HEADERS frames that could be a status. This parser is independent of the
 * one under test.
 */
function statusesIn(bytes: Buffer): Map<number, number[]> {
  const found = new Map<number, number[]>();
  frameReader(({ type, id, payload }) => {
    if (type !== frameTypes.headers && type !== frameTypes.continuation) return;
    const text = payload.toString("latin1");
    const statuses = [...text.matchAll(/[0-9]{3}/g)].map(([digits]) => Number(digits));
    const indexed = [...payload].filter((byte) => byte >= 0x88 && byte <= 0x8e);
    const values = [200, 204, 206, 304, 400, 404, 500];
    found.set(id, [...(found.get(id) ?? []), ...statuses, ...indexed.map((byte) => values[byte - 0x88]!)]);
  })(bytes);
  return found;
}

async function turns(n: number): Promise<void> {
  for (const _ of range(n)) await new Promise((resolve) => setImmediate(resolve));
}
