import { describe, expect, test } from "vitest";
import { frameFlags, uint32s } from "../../fixtures/frames.ts";
import { accept, check, message, range, type TransportFixture } from "./fixture.ts";

/**
 * Tests fault 13: the transport obeys the peer's SETTINGS about streams and frames, even if they change during
 * requests.
 */
export function settingsCases(fixture: TransportFixture): void {
  describe("the limit of concurrent streams (fault 13)", () => {
    test("of one is obeyed, and queued requests are sent in order", async () => {
      const peer = await fixture.framePeer({
        settings: { maxConcurrentStreams: 1 },
        onRequest: (request) => setImmediate(() => request.answer(201)),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(20).map((n) => sender.post(message(peer.origin, n))));
      check(peer.requests, answers);
      expect(answers.every(({ kind }) => kind === "answered")).toBe(true);
      expect(sender.capacity(peer.origin)).toBe(1);
      expect(peer.requests.map(({ body }) => body)).toEqual(range(20).map((n) => `message ${n}`));
    });

    test("is obeyed when it changes during requests, down to 0 and up again, and so is the capacity", async () => {
      const peer = await fixture.framePeer({ settings: { maxConcurrentStreams: 3 } });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = range(9).map((n) => sender.post(message(peer.origin, n)));
      await peer.whenWhole(3);
      expect(sender.capacity(peer.origin)).toBe(3);

      await peer.sessions[0]!.settings({ maxConcurrentStreams: 0 });
      expect(sender.capacity(peer.origin)).toBe(0);
      for (const request of peer.requests) request.answer(201);
      await Promise.all(answers.slice(0, 3));
      expect(peer.requests).toHaveLength(3);

      await peer.sessions[0]!.settings({ maxConcurrentStreams: 2 });
      (await peer.whenWhole(5))[3]!.answer(201);
      await answers[3];
      await peer.whenWhole(6);
      expect(peer.requests).toHaveLength(6);

      await peer.sessions[0]!.settings({ maxConcurrentStreams: 50 });
      for (const request of (await peer.whenWhole(9)).slice(4)) request.answer(201);
      check(peer.requests, await Promise.all(answers));
      expect(peer.sessions).toHaveLength(1);
    });

    test("is obeyed if it is lowered below the number of requests in flight", async () => {
      const peer = await fixture.framePeer({ settings: { maxConcurrentStreams: 4 } });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = range(6).map((n) => sender.post(message(peer.origin, n)));
      await peer.whenWhole(4);
      const [session] = peer.sessions;
      await session!.settings({ maxConcurrentStreams: 1 });
      for (const n of range(3)) peer.requests[n]!.answer(201);
      await Promise.all(answers.slice(0, 3));
      await session!.ping(Buffer.alloc(8));
      expect(peer.requests).toHaveLength(4);
      peer.requests[3]!.answer(201);
      for (const n of [4, 5]) (await peer.whenWhole(n + 1))[n]!.answer(201);
      check(peer.requests, await Promise.all(answers));
    });
  });

  fullCases(fixture);
  frameCases(fixture);
}

function fullCases(fixture: TransportFixture): void {
  describe("the limit of concurrent streams, once reached (fault 13)", () => {
    test("makes a queued request notSent at the queue timeout", async () => {
      const peer = await fixture.framePeer({ settings: { maxConcurrentStreams: 0 } });
      const sender = fixture.transport({ queueTimeoutMs: 100 });
      expect(await sender.post(message(peer.origin))).toEqual({ kind: "notSent", reason: "queue_timeout" });
      expect(peer.requests).toHaveLength(0);
    });

    test("makes the transport open sessions up to its limit, within its own stream limit", async () => {
      const peer = await fixture.framePeer({ settings: { maxConcurrentStreams: 1_000 } });
      const sender = fixture.transport({ sessionsPerOrigin: 3, streamsPerSession: 2 });
      const answers = range(8).map((n) => sender.post(message(peer.origin, n)));
      await peer.whenWhole(6);
      expect(peer.sessions).toHaveLength(3);
      expect([0, 1, 2].map((no) => peer.requests.filter(({ session }) => session.no === no).length)).toEqual([2, 2, 2]);
      expect(sender.capacity(peer.origin)).toBe(6);
      for (const request of peer.requests) request.answer(201);
      for (const request of (await peer.whenWhole(8)).slice(6)) request.answer(201);
      check(peer.requests, await Promise.all(answers));
    });
  });
}

function frameCases(fixture: TransportFixture): void {
  describe("a peer's other settings (fault 13)", () => {
    test("that disable the header table are obeyed, also if the peer changes them later", async () => {
      const peer = await fixture.http2Peer({ settings: { headerTableSize: 0 }, onRequest: accept });
      const other = await fixture.http2Peer({ onRequest: accept });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const post = async (origin: string) => {
        for (const n of range(3)) expect(await sender.post(message(origin, n))).toMatchObject({ kind: "answered" });
      };
      await post(peer.origin);
      await post(other.origin);
      await new Promise<void>((resolve) => other.sessions[0]!.settings({ headerTableSize: 0 }, () => resolve()));
      await post(other.origin);
      await new Promise<void>((resolve) => other.sessions[0]!.settings({ headerTableSize: 4_096 }, () => resolve()));
      await post(other.origin);
      expect([peer.sessions.length, other.sessions.length, other.received.length]).toEqual([1, 1, 9]);
    });

    test("about the frame size are obeyed: large headers and bodies are split", async () => {
      const peer = await fixture.framePeer({ onRequest: (request) => request.answer(201) });
      const body = Buffer.from("b".repeat(40_000));
      const headers = { ttl: "60", "x-filler": "~".repeat(40_000) };
      const answer = await fixture.transport().post({ ...message(peer.origin), headers, body });
      expect(answer).toMatchObject({ kind: "answered", status: 201 });
      expect(peer.requests[0]!.body).toBe(body.toString());
    });

    test("that are unknown, unknown frames, and repeated SETTINGS are ignored", async () => {
      const peer = await fixture.framePeer({
        onSession(session) {
          void session.settings({ maxConcurrentStreams: 5 });
          void session.settings({});
          session.send(0xbd, frameFlags.ack, 0);
          session.send(0xbe, 0xff, 0, Buffer.from("grease"));
          session.send(0x2b, 0, 17, Buffer.from("grease"));
        },
        onRequest: (request) => request.answer(201),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      expect(await sender.post(message(peer.origin))).toMatchObject({ kind: "answered", status: 201 });
      expect(sender.capacity(peer.origin)).toBe(5);
    });

    test("have no effect on PING, which is answered with its own eight bytes, idle or busy", async () => {
      const peer = await fixture.framePeer();
      const sender = fixture.transport();
      const answer = sender.post(message(peer.origin));
      const [request] = await peer.whenWhole(1);
      const { session } = request!;
      const data = [Buffer.from("12345678"), Buffer.concat([uint32s(0, 0xffffffff)])];
      expect(await Promise.all(data.map((bytes) => session.ping(bytes)))).toEqual(data);
      request!.answer(201);
      await answer;
      expect(await session.ping(data[0]!)).toEqual(data[0]);
    });
  });
}
