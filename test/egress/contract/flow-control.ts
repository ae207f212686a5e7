import { describe, expect, test } from "vitest";
import type { FrameRequest } from "../../fixtures/frame-session.ts";
import { check, message, range, type TransportFixture } from "./fixture.ts";

/**
 * Tests flow control by RFC 9113 section 5.2. The peer computes the windows itself, and records a fault if the client
 * sends a byte too many.
 */
export function flowControlCases(fixture: TransportFixture): void {
  describe("the windows of request bodies", () => {
    test("of a few bytes per stream are obeyed, and each update is used", async () => {
      const sent: number[] = [];
      const peer = await fixture.framePeer({
        settings: { initialWindowSize: 4 },
        opensWindows: false,
        onData(request, bytes) {
          sent.push(bytes);
          if (!request.whole && request.window === 0) request.session.windowUpdate(request.id, 3);
        },
        onRequest: (request) => request.answer(201),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(5).map((n) => sender.post(message(peer.origin, n))));
      check(peer.requests, answers);
      expect(answers.every(({ kind }) => kind === "answered")).toBe(true);
      expect(Math.max(...sent)).toBe(4);
    });

    test("of the connection are obeyed over many streams", async () => {
      let left = 65_535;
      const peer = await fixture.framePeer({
        opensWindows: false,
        onData(request, bytes) {
          left -= bytes;
          if (left > 1_000) return;
          left += 5_000;
          request.session.windowUpdate(0, 5_000);
        },
        onRequest: (request) => request.answer(201),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const body = Buffer.alloc(4_000, "b");
      const answers = await Promise.all(range(60).map((n) => sender.post({ ...message(peer.origin, n), body })));
      expect(answers.every(({ kind }) => kind === "answered")).toBe(true);
      expect(peer.requests.map((request) => request.body.length)).toEqual(range(60).map(() => 4_000));
    });
  });

  closedWindowCases(fixture);
}

function closedWindowCases(fixture: TransportFixture): void {
  describe("the windows of request bodies", () => {
    test("change with SETTINGS, also from below zero", async () => {
      const peer = await fixture.framePeer({ settings: { initialWindowSize: 6 }, opensWindows: false });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answer = sender.post(message(peer.origin));
      await peer.when(() => peer.requests.length === 1);
      const [{ session, id }] = peer.requests as [FrameRequest];
      // Six bytes were sent, so SETTINGS of 0 make the window -6. The update by 6 and SETTINGS of 1 then make it 1.
      await session.settings({ initialWindowSize: 0 });
      session.windowUpdate(id, 6);
      await session.settings({ initialWindowSize: 1 });
      await session.ping(Buffer.alloc(8));
      expect(peer.requests[0]!.whole).toBe(false);
      await session.settings({ initialWindowSize: 100 });
      const [request] = await peer.whenWhole(1);
      request!.answer(201);
      expect(await answer).toMatchObject({ kind: "answered", status: 201 });
      expect(request!.body).toBe("message 0");
    });

    test("that stay closed end the request at the deadline, and free its stream", async () => {
      const peer = await fixture.framePeer({
        settings: { initialWindowSize: 0, maxConcurrentStreams: 1 },
        opensWindows: false,
        onRequest: (request) => request.answer(201),
        onHeaders({ session, id }) {
          if (id > 1) session.windowUpdate(id, 100);
        },
      });
      const sender = fixture.transport({ deadlineMs: 200, sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(2).map((n) => sender.post(message(peer.origin, n))));
      expect(answers).toMatchObject([{ reason: "deadline" }, { kind: "answered" }]);
      check(peer.requests, answers);
      expect(peer.sessions).toHaveLength(1);
    });
  });
}
