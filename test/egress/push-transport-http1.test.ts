import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { accept, createPushWorld, message, type PushWorld, range } from "./push-world.ts";

let world: PushWorld;

beforeAll(async () => {
  world = await createPushWorld();
});

afterEach(() => world.end());

describe("a peer of HTTP/1.1", () => {
  test("is served over sockets that are kept", async () => {
    const peer = await world.http1Peer((request, response) => {
      request.resume().on("end", () => response.writeHead(201, { location: "/m" }).end());
    });
    const sender = world.transport();
    for (const n of range(5)) {
      expect(await sender.post(message(peer.origin, n))).toEqual({
        kind: "answered",
        status: 201,
        headers: { location: "/m" },
        body: "",
      });
    }
    expect(peer.sockets.size).toBe(1);
    expect(sender.capacity(peer.origin)).toBe(50);
  });

  test("gets no header but those given, host, length and connection", async () => {
    let names: string[] = [];
    const peer = await world.http1Peer((request, response) => {
      names = Object.keys(request.headers).sort();
      request.resume().on("end", () => response.writeHead(201).end());
    });
    await world.transport().post(message(peer.origin));
    expect(names).toEqual(["authorization", "connection", "content-length", "host", "ttl"]);
  });

  test("sees 50 sockets at most", async () => {
    const held: (() => void)[] = [];
    let onFifty = () => {};
    const fifty = new Promise<void>((resolve) => {
      onFifty = resolve;
    });
    const peer = await world.http1Peer((request, response) => {
      request.resume().on("end", () => {
        held.push(() => response.writeHead(201).end());
        if (held.length === 50) onFifty();
        if (held.length > 50) held.at(-1)!();
      });
    });
    const sender = world.transport();
    const answers = range(80).map((n) => sender.post(message(peer.origin, n)));
    await fifty;
    for (const answer of held.slice(0, 50)) answer();
    expect((await Promise.all(answers)).every((answer) => answer.kind === "answered")).toBe(true);
    expect(peer.sockets.size).toBe(50);
  });

  test("that breaks off, stays silent or answers without end is told apart", async () => {
    const peer = await world.http1Peer((request, response) => {
      request.resume().on("end", () => {
        if (request.url === "/push/0") request.socket.destroy();
        if (request.url === "/push/2") response.writeHead(503, { "retry-after": "9" }).write("busy");
        if (request.url === "/push/3") response.writeHead(500).write("x".repeat(40_000));
      });
    });
    const sender = world.transport({ deadlineMs: 300 });
    const answers = await Promise.all(range(4).map((n) => sender.post(message(peer.origin, n))));
    expect(answers).toEqual([
      { kind: "uncertain", reason: "socket_closed" },
      { kind: "uncertain", reason: "deadline" },
      { kind: "answered", status: 503, headers: { "retry-after": "9" }, body: "busy" },
      { kind: "answered", status: 500, headers: {}, body: "x".repeat(16_384) },
    ]);
  });

  test("that closes after each answer gets each request once", async () => {
    let served = 0;
    const peer = await world.http1Peer((request, response) => {
      served += 1;
      request.resume().on("end", () => response.writeHead(201, { connection: "close" }).end());
    });
    const sender = world.transport();
    for (const n of range(4)) expect(await sender.post(message(peer.origin, n))).toMatchObject({ kind: "answered" });
    expect([served, peer.sockets.size]).toEqual([4, 4]);
  });
});

describe("closing", () => {
  test("lets what is in flight end, sends nothing that waits, takes nothing more and leaves no socket", async () => {
    const peer = await world.http2Peer({ settings: { maxConcurrentStreams: 1 } });
    const sender = world.transport({ sessionsPerOrigin: 1 });
    const inFlight = sender.post(message(peer.origin, 0));
    const waits = sender.post(message(peer.origin, 1));
    const [held] = await peer.whenReceived(1);
    const socketClosed = new Promise((resolve) => peer.sessions[0]!.once("close", resolve));
    const closed = sender.close();
    expect(await waits).toEqual({ kind: "notSent", reason: "closed" });
    expect(await sender.post(message(peer.origin, 2))).toEqual({ kind: "notSent", reason: "closed" });
    accept(held!);
    expect(await inFlight).toMatchObject({ kind: "answered" });
    await closed;
    await socketClosed;
    expect(peer.received).toHaveLength(1);
  });

  test("ends without any connection, twice over, and gives up a connect under way", async () => {
    const idle = world.transport();
    await Promise.all([idle.close(), idle.close()]);
    const peer = await world.tcpPeer(() => {});
    const sender = world.transport();
    const answer = sender.post(message(peer.origin));
    await sender.close();
    expect(await answer).toEqual({ kind: "notSent", reason: "closed" });
  });

  test("leaves no handle of its own behind, and idle sessions go before it", async () => {
    const peer = await world.http2Peer({ onRequest: accept });
    const sender = world.transport({ idleMs: 100 });
    await sender.post(message(peer.origin));
    await new Promise((resolve) => peer.sessions[0]!.once("close", resolve));
    const timersBefore = countTimers();
    await sender.close();
    expect(countTimers()).toBeLessThanOrEqual(timersBefore);
    expect(peer.sessions[0]!.destroyed).toBe(true);
  });
});

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}
