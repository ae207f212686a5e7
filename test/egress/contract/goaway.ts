import { constants } from "node:http2";
import { describe, expect, test } from "vitest";
import { check, message, range, type TransportFixture } from "./fixture.ts";

const graceful = 2 ** 31 - 1;
const notSent = { kind: "notSent", reason: "goaway" };
const accepted = { kind: "answered", status: 201 };

/**
 * Tests fault 13, a peer that sends GOAWAY. Requests that it reports as unprocessed are notSent, and no request is
 * repeated.
 */
export function goawayCases(fixture: TransportFixture): void {
  describe("GOAWAY (fault 13)", () => {
    test("before an answer: that answer arrives, and the next request uses a new session", async () => {
      const peer = await fixture.framePeer({
        onRequest: (request) => {
          if (request.session.no === 0) request.session.goaway(constants.NGHTTP2_NO_ERROR, request.id);
          request.answer(201);
        },
      });
      const sender = fixture.transport();
      for (const n of range(3)) expect(await sender.post(message(peer.origin, n))).toMatchObject(accepted);
      expect(peer.requests.map(({ session }) => session.no)).toEqual([0, 1, 1]);
    });

    test.each([
      ["none", 0, [notSent, notSent, notSent, notSent]],
      ["the one in the middle", 3, [accepted, accepted, notSent, notSent]],
      ["the last one", 7, [accepted, accepted, accepted, accepted]],
    ])(
      "during requests, with %s as its last: those above are not sent, the others finish",
      async (_last, id, wanted) => {
        const peer = await fixture.framePeer();
        const sender = fixture.transport();
        const answers = range(4).map((n) => sender.post(message(peer.origin, n)));
        const held = await peer.whenWhole(4);
        held[0]!.session.goaway(constants.NGHTTP2_NO_ERROR, id);
        for (const request of held) if (request.fate === "open") request.answer(201);
        const all = await Promise.all(answers);
        expect(all).toMatchObject(wanted);
        const later = sender.post(message(peer.origin, 4));
        const next = (await peer.whenWhole(5))[4]!;
        expect([next.session.no, next.body]).toEqual([1, "message 4"]);
        next.answer(201);
        check(peer.requests, [...all, await later]);
      },
    );
  });

  lastIdCases(fixture);
  hardCases(fixture);
}

function lastIdCases(fixture: TransportFixture): void {
  describe("the last id of a GOAWAY (fault 13)", () => {
    test("below one that is already answered changes no answer, and ends the others as not sent", async () => {
      const peer = await fixture.framePeer();
      const sender = fixture.transport();
      const answers = range(4).map((n) => sender.post(message(peer.origin, n)));
      const held = await peer.whenWhole(4);
      held[2]!.answer(201);
      expect(await answers[2]).toMatchObject(accepted);
      held[0]!.session.goaway(constants.NGHTTP2_NO_ERROR, 1);
      held[0]!.answer(201);
      const all = await Promise.all(answers);
      expect(all).toMatchObject([accepted, notSent, accepted, notSent]);
      expect(peer.requests).toHaveLength(4);
    });

    test("settles nothing while it is the highest possible one; the real one that follows does", async () => {
      const peer = await fixture.framePeer();
      const sender = fixture.transport();
      const answers = range(3).map((n) => sender.post(message(peer.origin, n)));
      const held = await peer.whenWhole(3);
      const { session } = held[0]!;
      session.goaway(constants.NGHTTP2_NO_ERROR, graceful);
      await session.ping(Buffer.alloc(8));
      const elsewhere = sender.post(message(peer.origin, 3));
      const [next] = (await peer.whenWhole(4)).slice(3);
      expect(next!.session.no).toBe(1);
      next!.answer(201);
      held[0]!.answer(201);
      expect(await answers[0]).toMatchObject(accepted);
      session.goaway(constants.NGHTTP2_NO_ERROR, 3);
      expect(await answers[2]).toEqual(notSent);
      held[1]!.answer(201);
      check(peer.requests, await Promise.all([...answers, elsewhere]));
      expect(await answers[1]).toMatchObject(accepted);
    });

    test("before the end of the connection leaves requests up to it uncertain, others not sent", async () => {
      const peer = await fixture.framePeer();
      const sender = fixture.transport();
      const answers = range(3).map((n) => sender.post(message(peer.origin, n)));
      const [first] = await peer.whenWhole(3);
      first!.session.goaway(constants.NGHTTP2_NO_ERROR, 3);
      first!.session.socket.end();
      const all = await Promise.all(answers);
      expect(all.map(({ kind }) => kind)).toEqual(["uncertain", "uncertain", "notSent"]);
      check(peer.requests, all);
    });
  });
}

function hardCases(fixture: TransportFixture): void {
  describe("GOAWAY (fault 13)", () => {
    test.each([
      constants.NGHTTP2_ENHANCE_YOUR_CALM,
      constants.NGHTTP2_REFUSED_STREAM,
      constants.NGHTTP2_INTERNAL_ERROR,
    ])("with the error %i leaves those up to its last id uncertain, others not sent, no replay", async (code) => {
      const peer = await fixture.http2Peer({});
      const sender = fixture.transport();
      const answers = range(3).map((n) => sender.post(message(peer.origin, n)));
      await peer.whenReceived(3);
      peer.sessions[0]!.goaway(code, 3);
      const kinds = (await Promise.all(answers)).map(({ kind }) => kind);
      expect(kinds).toEqual(["uncertain", "uncertain", "notSent"]);
      expect(peer.received).toHaveLength(3);
    });

    test("after all answers changes none of them", async () => {
      const peer = await fixture.framePeer({
        onRequest: (request) => {
          request.answer(201);
          request.session.goaway(constants.NGHTTP2_NO_ERROR, request.id);
        },
      });
      expect(await fixture.transport().post(message(peer.origin))).toMatchObject(accepted);
    });

    test.each([
      ["as the first frame of a connection", false],
      ["after the SETTINGS are acknowledged", true],
    ])("%s leaves queued requests unsent, and does not cause a storm of connects", async (_when, greetsFirst) => {
      const peer = await fixture.framePeer({
        async onSession(session) {
          if (greetsFirst) await session.settings({ maxConcurrentStreams: 1 });
          session.goaway(constants.NGHTTP2_NO_ERROR, 0);
        },
      });
      const sender = fixture.transport({ queueTimeoutMs: 150, sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(20).map((n) => sender.post(message(peer.origin, n))));
      expect(answers.every(({ kind }) => kind === "notSent")).toBe(true);
      expect(await sender.post(message(peer.origin))).toMatchObject({ kind: "notSent" });
      expect(peer.requests.filter(({ fate }) => fate !== "refused")).toEqual([]);
      expect(peer.sockets.size).toBeLessThanOrEqual(2);
    });
  });
}
