import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPushTransport, type PushTransportOptions } from "../../src/egress/push/transport.ts";
import type { FrameRequest } from "../fixtures/frame-session.ts";
import { frameFlags, frameTypes, headerBlock, uint32s } from "../fixtures/frames.ts";
import { check, message, range, transportFixture } from "./contract/fixture.ts";
import { transportContract } from "./transport-contract.ts";

const createLean = (options: PushTransportOptions) => createPushTransport({ ...options, leanHttp2: true });

transportContract("the transport over the lean HTTP/2", createLean);

const { data, headers, rstStream, settings, pushPromise, ping, goaway, windowUpdate, continuation } = frameTypes;
const { endHeaders, endStream, padded } = frameFlags;
const [protocolError, flowControlError, frameSizeError, compressionError, enhanceYourCalm] = [1, 3, 6, 9, 11];
const noSettings = Buffer.alloc(0);
const setting = (id: number, value: number) => Buffer.concat([Buffer.from([0, id]), uint32s(value)]);

/**
 * Violations of RFC 9113 by a peer: our name for the fault, the error code that we send, a description, and the
 * violation.
 */
const faults: [string, number, string, (request: FrameRequest) => void][] = [
  ["malformed_headers", protocolError, "HEADERS on stream 0", ({ session }) => session.send(headers, endHeaders, 0)],
  [
    "unknown_stream",
    protocolError,
    "HEADERS on a stream that was never opened",
    ({ session }) => session.send(headers, endHeaders, 99),
  ],
  ["unknown_stream", protocolError, "DATA on a stream of the server", ({ session }) => session.send(data, 0, 2)],
  [
    "malformed_headers",
    protocolError,
    "HEADERS of padding alone",
    (to) => to.session.send(headers, endHeaders | padded, to.id, Buffer.from([9, 0])),
  ],
  [
    "malformed_header_block",
    compressionError,
    "an index beyond the static table",
    (to) => to.session.send(headers, endHeaders, to.id, Buffer.from([0xff, 0x20])),
  ],
  [
    "header_block_broken_off",
    protocolError,
    "PING amid a header block",
    ({ session, id }) => {
      session.send(headers, 0, id, headerBlock({ ":status": "201" }));
      session.send(ping, 0, 0, Buffer.alloc(8));
    },
  ],
  [
    "unexpected_continuation",
    protocolError,
    "CONTINUATION without HEADERS",
    (to) => to.session.send(continuation, endHeaders, to.id),
  ],
  [
    "endless_headers",
    enhanceYourCalm,
    "a hundred empty CONTINUATIONs",
    ({ session, id }) => {
      session.send(headers, 0, id);
      for (const _ of range(100)) session.send(continuation, 0, id);
    },
  ],
  ["malformed_data", protocolError, "DATA on stream 0", ({ session }) => session.send(data, 0, 0)],
  [
    "malformed_data",
    protocolError,
    "DATA whose padding is longer than itself",
    (to) => to.session.send(data, padded, to.id, Buffer.from([7, 1])),
  ],
  [
    "malformed_reset",
    protocolError,
    "RST_STREAM of three bytes",
    (to) => to.session.send(rstStream, 0, to.id, Buffer.alloc(3)),
  ],
  [
    "malformed_settings",
    protocolError,
    "SETTINGS on a stream",
    (to) => to.session.send(settings, 0, to.id, noSettings),
  ],
  [
    "malformed_settings",
    protocolError,
    "an acknowledgement with settings",
    (to) => to.session.send(settings, frameFlags.ack, 0, setting(3, 1)),
  ],
  [
    "invalid_settings",
    protocolError,
    "SETTINGS of five bytes",
    (to) => to.session.send(settings, 0, 0, Buffer.alloc(5)),
  ],
  [
    "invalid_settings",
    protocolError,
    "a server that allows push",
    (to) => to.session.send(settings, 0, 0, setting(2, 1)),
  ],
  [
    "invalid_settings",
    protocolError,
    "a window over 2^31-1",
    (to) => to.session.send(settings, 0, 0, setting(4, 2 ** 31)),
  ],
  [
    "invalid_settings",
    protocolError,
    "frames of less than 16 KB",
    (to) => to.session.send(settings, 0, 0, setting(5, 16_383)),
  ],
  ["malformed_ping", protocolError, "PING of seven bytes", (to) => to.session.send(ping, 0, 0, Buffer.alloc(7))],
  ["malformed_goaway", protocolError, "GOAWAY of seven bytes", (to) => to.session.send(goaway, 0, 0, Buffer.alloc(7))],
  [
    "malformed_window_update",
    protocolError,
    "a window update of 0",
    (to) => to.session.send(windowUpdate, 0, 0, uint32s(0)),
  ],
  [
    "window_overflow",
    flowControlError,
    "a connection's window over 2^31-1",
    (to) => to.session.send(windowUpdate, 0, 0, uint32s(2 ** 31 - 1)),
  ],
  ["push_promise", protocolError, "PUSH_PROMISE", (to) => to.session.send(pushPromise, endHeaders, to.id, uint32s(2))],
  ["frame_too_large", frameSizeError, "a frame over 16 KB", (to) => to.session.send(0xbe, 0, 0, Buffer.alloc(16_385))],
  [
    "window_exceeded",
    flowControlError,
    "more than the window of a stream in padding",
    ({ session, id }) => {
      session.send(headers, endHeaders, id, headerBlock({ ":status": "503" }));
      const padding = Buffer.concat([Buffer.from([255]), Buffer.alloc(256)]);
      for (const _ of range(256)) session.send(data, padded, id, padding);
    },
  ],
];

const fixture = transportFixture(createLean);
beforeAll(fixture.begin);
beforeEach(fixture.beginTest);
afterEach(fixture.end);

describe("a peer that violates the protocol of lean HTTP/2", () => {
  test.each(faults)(
    "(%s, %i) %s: ends the connection, and the next is served by node:http2",
    async (fault, code, _what, act) => {
      const peer = await fixture.framePeer({
        onRequest: (request) => (request.body === "message 1" ? act(request) : request.answer(201)),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = [];
      for (const n of range(3)) answers.push(await sender.post(message(peer.origin, n)));
      const known =
        fault === "window_exceeded"
          ? { kind: "answered", status: 503 }
          : { kind: "uncertain", reason: `http2_fault: ${fault}` };
      expect(answers).toMatchObject([{ kind: "answered" }, known, { kind: "answered" }]);
      if (fault !== "window_exceeded") check(peer.requests, answers);
      await expect.poll(() => peer.sessions[0]!.clientGoaway).toEqual({ lastId: 0, code });
      expect(peer.sessions.map(isLean)).toEqual([true, false]);
    },
  );

  test("with many in flight leaves each uncertain or notSent, and none is sent twice", async () => {
    const peer = await fixture.framePeer({
      settings: { maxConcurrentStreams: 5 },
      onRequest: (request) => {
        if (peer.sessions.length > 1) request.answer(201);
        else if (request.body === "message 4") request.session.send(ping, 0, 0, Buffer.alloc(1));
      },
    });
    const sender = fixture.transport({ sessionsPerOrigin: 1 });
    const answers = await Promise.all(range(20).map((n) => sender.post(message(peer.origin, n))));
    check(peer.requests, answers);
    expect(answers.map(({ kind }) => kind)).toEqual(
      range(20).map((n) => (n < 5 ? "uncertain" : expect.stringMatching(/answered|notSent/))),
    );
    expect(peer.requests.filter(({ session }) => session.no === 0)).toHaveLength(5);
  });

  test("is the reason why queued requests are not sent", async () => {
    const peer = await fixture.framePeer({ onRequest: ({ session }) => session.send(data, endStream, 0) });
    const sender = fixture.transport({ sessionsPerOrigin: 1, streamsPerSession: 1, queueTimeoutMs: 200 });
    const answers = await Promise.all(range(2).map((n) => sender.post(message(peer.origin, n))));
    expect(answers).toEqual([
      { kind: "uncertain", reason: "http2_fault: malformed_data" },
      { kind: "notSent", reason: "http2_fault: malformed_data" },
    ]);
  });

  test("in one answer only loses only that answer", async () => {
    const peer = await fixture.framePeer({
      onRequest: (request) => {
        if (request.body === "message 1")
          request.session.send(headers, endHeaders, request.id, headerBlock({ a: "b" }));
        else if (request.body === "message 2")
          request.session.send(data, endStream, request.id, Buffer.from("no head"));
        else request.answer(201);
      },
    });
    const sender = fixture.transport({ sessionsPerOrigin: 1 });
    const answers = await Promise.all(range(4).map((n) => sender.post(message(peer.origin, n))));
    const malformed = { kind: "uncertain", reason: "stream_closed: 1" };
    expect(answers).toMatchObject([{ kind: "answered" }, malformed, malformed, { kind: "answered" }]);
    expect(peer.sessions.map(isLean)).toEqual([true]);
  });
});

describe("a body that waits for a window", () => {
  test("is sent only if it still may be, also where a part of it has left", async () => {
    const peer = await fixture.framePeer({ settings: { initialWindowSize: 4 }, opensWindows: false });
    const sender = fixture.transport({ sessionsPerOrigin: 1 });
    const may = [true, true];
    const post = (n: number) => sender.post({ ...message(peer.origin, n), mayStart: () => may[n]! });
    const answers = range(2).map(post);
    await peer.when(() => peer.requests.length === 2);
    await peer.sessions[0]!.ping(Buffer.alloc(8));
    may[0] = false;
    for (const { session, id } of peer.requests) session.windowUpdate(id, 100);
    expect(await answers[0]).toEqual({ kind: "notSent", reason: "not_started" });
    await peer.when(() => peer.requests.some(({ whole }) => whole));
    peer.requests[1]!.answer(201);
    expect(await answers[1]).toMatchObject({ kind: "answered", status: 201 });
    check(peer.requests, await Promise.all(answers));
    expect(peer.requests.map(({ body }) => body)).toEqual(["mess", "message 1"]);
  });

  test("is not sent if the window stays closed until the deadline, also where a part has left", async () => {
    const peer = await fixture.framePeer({ settings: { initialWindowSize: 4 }, opensWindows: false });
    const sender = fixture.transport({ deadlineMs: 200, sessionsPerOrigin: 1 });
    const answer = await sender.post(message(peer.origin));
    expect(answer).toEqual({ kind: "notSent", reason: "deadline" });
    check(peer.requests, [answer]);
  });

  test("is not asked for again before there is room", async () => {
    const peer = await fixture.framePeer({ settings: { initialWindowSize: 0 }, opensWindows: false });
    const sender = fixture.transport({ sessionsPerOrigin: 1 });
    let asked = 0;
    const answer = sender.post({ ...message(peer.origin), mayStart: () => ++asked > 0 });
    await peer.when(() => peer.requests.length === 1);
    const [{ session, id }] = peer.requests as [FrameRequest];
    session.windowUpdate(0, 1_000);
    await session.ping(Buffer.alloc(8));
    expect(asked).toBe(1);
    session.windowUpdate(id, 100);
    (await peer.whenWhole(1))[0]!.answer(201);
    expect(await answer).toMatchObject({ kind: "answered" });
    expect(asked).toBe(2);
  });
});

test("a process that stood still starts no buffered request, and uses a new connection", async () => {
  const peer = await fixture.framePeer();
  const sender = fixture.transport({ sessionsPerOrigin: 1 });
  const first = sender.post(message(peer.origin, 0));
  const [asked] = await peer.whenWhole(1);
  const second = sender.post(message(peer.origin, 1));
  fixture.advance(250);
  expect(await second).toEqual({ kind: "notSent", reason: "not_started" });
  asked!.answer(201);
  expect(await first).toMatchObject({ kind: "answered", status: 201 });
  const third = sender.post(message(peer.origin, 2));
  (await peer.whenWhole(2))[1]!.answer(201);
  expect(await third).toMatchObject({ kind: "answered", status: 201 });
  expect(peer.requests.map(({ body, session }) => [body, session.no])).toEqual([
    ["message 0", 0],
    ["message 2", 1],
  ]);
});

/** Returns whether the client's SETTINGS disable the header table. */
function isLean({ clientSettings }: { clientSettings: Buffer | undefined }): boolean {
  return clientSettings?.subarray(0, 6).equals(setting(1, 0)) ?? false;
}
