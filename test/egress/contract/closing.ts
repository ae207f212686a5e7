import { describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { accept, message, protocols, type TransportFixture } from "./fixture.ts";

export function closingCases(fixture: TransportFixture): void {
  describe("closing", () => {
    test("lets requests in flight end, sends no queued or new ones, and leaves no socket open", async () => {
      const peer = await fixture.http2Peer({ settings: { maxConcurrentStreams: 1 } });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const inFlight = sender.post(message(peer.origin, 0));
      const queued = sender.post(message(peer.origin, 1));
      const [held] = await peer.whenReceived(1);
      const socketClosed = new Promise((resolve) => peer.sessions[0]!.once("close", resolve));
      const closed = sender.close();
      expect(await queued).toEqual({ kind: "notSent", reason: "closed" });
      expect(await sender.post(message(peer.origin, 2))).toEqual({ kind: "notSent", reason: "closed" });
      accept(held!);
      expect(await inFlight).toMatchObject({ kind: "answered" });
      await closed;
      await socketClosed;
      expect(peer.received).toHaveLength(1);
    });

    test.each(protocols)("ends over %s at the deadline if the peer never answers", async (protocol) => {
      let onRequest = () => {};
      const arrived = new Promise<void>((resolve) => {
        onRequest = resolve;
      });
      const peer = await fixture.peerOf(protocol, onRequest);
      const sender = fixture.transport({ deadlineMs: 200 });
      const answer = sender.post(message(peer.origin));
      await arrived;
      await sender.close();
      expect(await answer).toEqual({ kind: "uncertain", reason: "deadline" });
      expect(peer.sockets.size).toBe(1);
    });

    test("ends without any connection, may be called twice, and cancels a connect under way", async () => {
      const idle = fixture.transport();
      await Promise.all([idle.close(), idle.close()]);
      const peer = await fixture.tcpPeer(() => {});
      const sender = fixture.transport();
      const answer = sender.post(message(peer.origin));
      await sender.close();
      expect(await answer).toEqual({ kind: "notSent", reason: "closed" });
    });

    test("leaves no timer behind; idle sessions close by themselves before", async () => {
      const timersBefore = countTimers();
      const peer = await fixture.http2Peer({ onRequest: accept });
      const sender = fixture.transport({ idleMs: 100 });
      await sender.post(message(peer.origin));
      await eventually(async () => peer.sessions[0]!.destroyed);
      await sender.close();
      // Timers of the test runner end by themselves. A timer that the transport left behind would repeat forever.
      await eventually(async () => countTimers() <= timersBefore);
    });
  });
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}
