import { describe, expect, test } from "vitest";
import { frameFlags, frameTypes } from "../../fixtures/frames.ts";
import { check, message, range, type TransportFixture } from "./fixture.ts";

const notSent = { kind: "notSent" };

/**
 * Tests connects that fail: nothing is sent, queued requests get the reason, and the peer gets no storm of connects.
 */
export function connectCases(fixture: TransportFixture): void {
  describe("a connection that cannot be opened", () => {
    test("because the port is closed leaves the request unsent", async () => {
      const peer = await fixture.tcpPeer(() => {});
      await peer.close();
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toEqual({ kind: "notSent", reason: "connect: ECONNREFUSED" });
    });

    test("because the name is unknown leaves the request unsent", async () => {
      const answer = await fixture.transport().post(message("https://no-such-host.invalid"));
      expect(answer).toMatchObject({ kind: "notSent", reason: expect.stringMatching(/^connect: E/) });
    });

    test("because the peer accepts and sends nothing is given up in time (fault 11)", async () => {
      const peer = await fixture.tcpPeer(() => {});
      const sender = fixture.transport({ connectTimeoutMs: 100 });
      expect(await sender.post(message(peer.origin))).toEqual({ kind: "notSent", reason: "connect: ETIMEDOUT" });
    });

    test("because the peer does not use TLS leaves the request unsent", async () => {
      const peer = await fixture.tcpPeer((socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toMatchObject({ kind: "notSent", reason: expect.stringMatching(/^connect: E/) });
    });

    test("with a silent HTTP/2 peer is given up in time, with nothing sent (fault 11)", async () => {
      const peer = await fixture.framePeer({
        onSession: (session) => {
          session.isSilent = true;
        },
      });
      const sender = fixture.transport({ connectTimeoutMs: 100 });
      expect(await sender.post(message(peer.origin))).toEqual({ kind: "notSent", reason: "connect: ETIMEDOUT" });
      expect(peer.requests).toHaveLength(0);
    });

    test("with a peer that acknowledges SETTINGS without its own leaves the request unsent", async () => {
      const peer = await fixture.framePeer({
        onSession: (session) => {
          session.isSilent = true;
          session.send(frameTypes.settings, frameFlags.ack, 0);
        },
      });
      expect(await fixture.transport({ connectTimeoutMs: 100 }).post(message(peer.origin))).toMatchObject(notSent);
      expect(peer.requests).toHaveLength(0);
    });

    test("because the peer negotiates HTTP/2 and sends something else leaves the request unsent", async () => {
      const peer = await fixture.tlsPeer({ ALPNProtocols: ["h2"] }, (socket) =>
        socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
      );
      expect(await fixture.transport().post(message(peer.origin))).toMatchObject(notSent);
    });
  });

  backoffCases(fixture);
}

function backoffCases(fixture: TransportFixture): void {
  describe("a connect that failed", () => {
    test("is not repeated at once: later requests wait, and are not sent when their time is over", async () => {
      const peer = await fixture.tcpPeer((socket) => socket.destroy());
      const sender = fixture.transport({ queueTimeoutMs: 100 });
      expect(await sender.post(message(peer.origin))).toMatchObject(notSent);
      const others = await Promise.all(range(50).map((n) => sender.post(message(peer.origin, n))));
      expect(others.every((answer) => answer.kind === "notSent" && answer.reason.startsWith("connect: "))).toBe(true);
      expect(peer.sockets.size).toBe(1);
    });

    test("is repeated after a backoff, which grows with each failure", async () => {
      const connectsAtMs: number[] = [];
      const peer = await fixture.tcpPeer((socket) => {
        connectsAtMs.push(performance.now());
        socket.destroy();
      });
      const sender = fixture.transport({ queueTimeoutMs: 1_000 });
      while (connectsAtMs.length < 3) expect(await sender.post(message(peer.origin))).toMatchObject(notSent);
      const [first, second, third] = connectsAtMs as [number, number, number];
      expect(second - first).toBeGreaterThan(240);
      expect(third - second).toBeGreaterThan(490);
    });

    test("and then succeeds serves the queued requests", async () => {
      const peer = await fixture.framePeer({ onRequest: (request) => request.answer(201) });
      const route = await fixture.route(peer.port);
      const sender = fixture.transport();
      route.refuse(true);
      expect(await sender.post(message(route.origin))).toMatchObject(notSent);
      route.refuse(false);
      expect(await sender.post(message(route.origin))).toMatchObject({ kind: "answered" });
      expect(route.sockets.size).toBe(2);
    });

    test("includes a connection that ended before its first answer: no storm of connects", async () => {
      const connectsAtMs: number[] = [];
      const peer = await fixture.framePeer({
        onSession: (session) => {
          connectsAtMs.push(performance.now());
          void session.settings({});
        },
        onHeaders: ({ session }) => void session.tcp.resetAndDestroy(),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 4 });
      const answers = [];
      for (const n of range(3)) answers.push(await sender.post(message(peer.origin, n)));
      check(peer.requests, answers);
      expect(answers).toMatchObject(range(3).map(() => ({ kind: "uncertain" })));
      const [first, second, third] = connectsAtMs as [number, number, number];
      expect(second - first).toBeGreaterThan(240);
      expect(third - second).toBeGreaterThan(490);
    });
  });
}
