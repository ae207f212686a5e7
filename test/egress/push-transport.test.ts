import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Received } from "../worlds/http2-peer.ts";
import { accept, createPushWorld, message, type PushWorld, range } from "./push-world.ts";

let world: PushWorld;

beforeAll(async () => {
  world = await createPushWorld();
});

afterEach(() => world.end());

describe("an answer", () => {
  test("has the status and those headers that a sender reads; the request arrives as given", async () => {
    const peer = await world.http2Peer({
      onRequest: ({ stream }) => {
        stream.respond({ ":status": 201, location: "https://x/m/1", "x-wns-status": "received", "set-cookie": "a=b" });
        stream.end("of no interest");
      },
    });
    const answer = await world.transport().post(message(peer.origin, 7));
    expect(answer).toEqual({
      kind: "answered",
      status: 201,
      headers: { location: "https://x/m/1", "x-wns-status": "received" },
      body: "",
    });
    const { headers, body } = peer.received[0]!;
    expect(body).toBe("message 7");
    expect(Object.fromEntries(Object.entries(headers))).toEqual({
      ":method": "POST",
      ":scheme": "https",
      ":authority": new URL(peer.origin).host,
      ":path": "/push/7",
      ttl: "60",
      authorization: "vapid t=a, k=b",
      "content-length": "9",
    });
  });

  test("that is no success brings its body and Retry-After", async () => {
    const peer = await world.http2Peer({
      onRequest: ({ stream }) => {
        stream.respond({ ":status": 429, "retry-after": "30" });
        stream.end("slow down, ü");
      },
    });
    expect(await world.transport().post(message(peer.origin))).toEqual({
      kind: "answered",
      status: 429,
      headers: { "retry-after": "30" },
      body: "slow down, ü",
    });
  });

  test("that redirects is an answer, and nobody goes there", async () => {
    const other = await world.http2Peer({ onRequest: accept });
    const peer = await world.http2Peer({
      onRequest: ({ stream }) => stream.respond({ ":status": 307, location: `${other.origin}/x` }, { endStream: true }),
    });
    const answer = await world.transport().post(message(peer.origin));
    expect(answer).toMatchObject({ kind: "answered", status: 307, headers: { location: `${other.origin}/x` } });
    expect(other.sessions).toHaveLength(0);
  });

  test("comes from an address of IPv6 with a port", async () => {
    const peer = await world.http2Peer({ onRequest: accept, host: "::1" });
    expect(await world.transport().post(message(peer.origin))).toMatchObject({ kind: "answered", status: 201 });
    expect(peer.received[0]!.headers[":authority"]).toBe(`[::1]:${peer.port}`);
  });
});

describe("a body", () => {
  test("over 16 KB is cut there, and its stream closed", async () => {
    const peer = await world.http2Peer({
      onRequest: ({ stream }) => {
        stream.respond({ ":status": 500 });
        stream.write("x".repeat(40_000));
      },
    });
    const answer = await world.transport().post(message(peer.origin));
    expect(answer).toMatchObject({ kind: "answered", status: 500, body: "x".repeat(16_384) });
  });

  test("that never ends counts at the deadline; slow bytes do not extend it", async () => {
    const peer = await world.http2Peer({
      onRequest: ({ stream }) => {
        stream.respond({ ":status": 502 });
        const drip = setInterval(() => stream.write("."), 20);
        stream.on("close", () => clearInterval(drip));
      },
    });
    const answer = await world.transport({ deadlineMs: 300 }).post(message(peer.origin));
    expect(answer).toMatchObject({ kind: "answered", status: 502, body: expect.stringMatching(/^\.{2,15}$/) });
  });

  test("is not waited for where the status is a success", async () => {
    const peer = await world.http2Peer({
      onRequest: ({ stream }) => {
        stream.respond({ ":status": 201 });
        stream.write(".");
      },
    });
    const sender = world.transport({ deadlineMs: 300 });
    expect(await sender.post(message(peer.origin))).toMatchObject({ kind: "answered", status: 201 });
  });
});

describe("what is not to be sent", () => {
  test("an origin that is not allowed sees no connection", async () => {
    const peer = await world.tcpPeer(() => {});
    const sender = world.transport({ allowsOrigin: () => false });
    expect(await sender.post(message(peer.origin))).toEqual({ kind: "notSent", reason: "origin_not_allowed" });
    expect(sender.capacity(peer.origin)).toBe(0);
    expect(peer.sockets.size).toBe(0);
  });

  test.each([
    "http://localhost:1",
    "https://localhost:1/",
    "https://user@localhost:1",
    "localhost",
    "https://LOCALHOST:1",
  ])("%s is no origin", async (origin) => {
    expect(await world.transport().post(message(origin))).toEqual({ kind: "notSent", reason: "invalid_origin" });
  });

  test.each(["", "push", "/a b", "/a\r\nx: y", "/ü"])("%j is no path", async (path) => {
    const request = { ...message("https://localhost:1"), path };
    expect(await world.transport().post(request)).toEqual({ kind: "notSent", reason: "invalid_path" });
  });

  test("a header that HTTP does not allow is refused and harms no neighbour", async () => {
    const peer = await world.http2Peer({ onRequest: accept });
    const sender = world.transport();
    const faulty: Record<string, string>[] = [
      { topic: "a\r\nx: y" },
      { "to pic": "a" },
      { "x\r\ny": "a" },
      { topic: "ü" },
    ];
    for (const headers of faulty) {
      const bad = sender.post({ ...message(peer.origin), headers });
      expect(await bad).toEqual({ kind: "notSent", reason: "invalid_header" });
    }
    expect(await sender.post(message(peer.origin))).toMatchObject({ kind: "answered", status: 201 });
    expect(peer.received).toHaveLength(1);
  });

  test("a request that may no longer start when its turn comes is not written", async () => {
    const peer = await world.http2Peer({ settings: { maxConcurrentStreams: 1 } });
    const sender = world.transport({ sessionsPerOrigin: 1 });
    let stopped = false;
    const first = sender.post(message(peer.origin));
    const second = sender.post({ ...message(peer.origin), mayStart: () => !stopped });
    const [held] = await peer.whenReceived(1);
    stopped = true;
    accept(held!);
    expect(await first).toMatchObject({ kind: "answered" });
    expect(await second).toEqual({ kind: "notSent", reason: "not_started" });
    expect(peer.received).toHaveLength(1);
  });
});

describe("the window of streams", () => {
  test("of one stream is kept, and what waits goes in order", async () => {
    let open = 0;
    let most = 0;
    const peer = await world.http2Peer({
      settings: { maxConcurrentStreams: 1 },
      onRequest: (received) => {
        open += 1;
        most = Math.max(most, open);
        setImmediate(() => {
          open -= 1;
          accept(received);
        });
      },
    });
    const sender = world.transport({ sessionsPerOrigin: 1 });
    const answers = await Promise.all(range(20).map((n) => sender.post(message(peer.origin, n))));
    expect(answers.every((answer) => answer.kind === "answered")).toBe(true);
    expect(most).toBe(1);
    expect(sender.capacity(peer.origin)).toBe(1);
    expect(peer.received.map(({ body }) => body)).toEqual(range(20).map((n) => `message ${n}`));
  });

  test("follows SETTINGS that change while requests run, down to none and up again", async () => {
    const peer = await world.http2Peer({ settings: { maxConcurrentStreams: 3 } });
    const sender = world.transport({ sessionsPerOrigin: 1 });
    const answers = range(9).map((n) => sender.post(message(peer.origin, n)));
    await peer.whenReceived(3);
    expect(sender.capacity(peer.origin)).toBe(3);

    await changeSettings(peer.sessions[0]!, 0);
    expect(sender.capacity(peer.origin)).toBe(0);
    peer.received.slice(0, 3).forEach(accept);
    await Promise.all(answers.slice(0, 3));
    expect(peer.received).toHaveLength(3);

    await changeSettings(peer.sessions[0]!, 2);
    await peer.whenReceived(5);
    accept(peer.received[3]!);
    await answers[3];
    await peer.whenReceived(6);
    expect(peer.received).toHaveLength(6);

    await changeSettings(peer.sessions[0]!, 50);
    await peer.whenReceived(9);
    peer.received.slice(4).forEach(accept);
    expect((await Promise.all(answers)).every((answer) => answer.kind === "answered")).toBe(true);
    expect(peer.sessions).toHaveLength(1);
  });
});

describe("a full window", () => {
  test("that stays shut ends in notSent when the queue's time is over", async () => {
    const peer = await world.http2Peer({ settings: { maxConcurrentStreams: 0 } });
    const sender = world.transport({ queueTimeoutMs: 200 });
    expect(await sender.post(message(peer.origin))).toEqual({ kind: "notSent", reason: "queue_timeout" });
    expect(peer.received).toHaveLength(0);
  });

  test("grows by further sessions, no more than are allowed, and never over the own limit", async () => {
    const peer = await world.http2Peer({ settings: { maxConcurrentStreams: 1_000 } });
    const sender = world.transport({ sessionsPerOrigin: 3, streamsPerSession: 2 });
    const answers = range(8).map((n) => sender.post(message(peer.origin, n)));
    await peer.whenReceived(6);
    expect(peer.sessions).toHaveLength(3);
    expect([0, 1, 2].map((no) => peer.received.filter(({ session }) => session === no).length)).toEqual([2, 2, 2]);
    expect(sender.capacity(peer.origin)).toBe(6);
    peer.received.forEach(accept);
    (await peer.whenReceived(8)).slice(6).forEach(accept);
    await Promise.all(answers);
  });
});

/** Resolves when the client has acknowledged them. */
function changeSettings(session: Received["stream"]["session"], maxConcurrentStreams: number): Promise<void> {
  return new Promise((resolve) => session!.settings({ maxConcurrentStreams }, () => resolve()));
}
