import { describe, expect, test } from "vitest";
import { accept, message, type TransportFixture } from "./fixture.ts";

/** Tests requests that are never written: invalid ones, and those that `mayStart` stops. */
export function refusalCases(fixture: TransportFixture): void {
  describe("a request that must not be sent", () => {
    test("because its origin is not allowed causes no connection", async () => {
      const peer = await fixture.tcpPeer(() => {});
      const sender = fixture.transport({ allowsOrigin: () => false });
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
    ])("because %s is no origin is refused", async (origin) => {
      expect(await fixture.transport().post(message(origin))).toEqual({ kind: "notSent", reason: "invalid_origin" });
    });

    test.each(["", "push", "/a b", "/a\r\nx: y", "/ü"])("because %j is no path is refused", async (path) => {
      const request = { ...message("https://localhost:1"), path };
      expect(await fixture.transport().post(request)).toEqual({ kind: "notSent", reason: "invalid_path" });
    });

    test.each<Record<string, string>>([{ topic: "a\r\nx: y" }, { "to pic": "a" }, { "x\r\ny": "a" }, { topic: "ü" }])(
      "because %j is no header is refused, and does not affect others",
      async (headers) => {
        const peer = await fixture.http2Peer({ onRequest: accept });
        const sender = fixture.transport();
        const [bad, good] = await Promise.all([
          sender.post({ ...message(peer.origin), headers }),
          sender.post(message(peer.origin, 1)),
        ]);
        expect(bad).toEqual({ kind: "notSent", reason: "invalid_header" });
        expect(good).toMatchObject({ kind: "answered", status: 201 });
        expect(peer.received.map(({ body }) => body)).toEqual(["message 1"]);
      },
    );
  });

  mayStartCases(fixture);
}

function mayStartCases(fixture: TransportFixture): void {
  describe("mayStart", () => {
    test("is called once, right before the write, and false prevents it", async () => {
      const peer = await fixture.framePeer({ settings: { maxConcurrentStreams: 1 } });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const asked: string[] = [];
      const ask = (who: string, may: boolean) => () => asked.push(who) > 0 && may;
      const answers = [
        sender.post({ ...message(peer.origin, 0), mayStart: ask("first", true) }),
        sender.post({ ...message(peer.origin, 1), mayStart: ask("second", false) }),
        sender.post({ ...message(peer.origin, 2), mayStart: ask("third", true) }),
      ];
      const [first] = await peer.whenWhole(1);
      expect(asked).toEqual(["first"]);
      first!.answer(201);
      expect(await answers[1]).toEqual({ kind: "notSent", reason: "not_started" });
      (await peer.whenWhole(2))[1]!.answer(201);
      expect(await answers[2]).toMatchObject({ kind: "answered" });
      expect(asked).toEqual(["first", "second", "third"]);
      expect(peer.requests.map(({ body }) => body)).toEqual(["message 0", "message 2"]);
    });

    test("is not called while no connection can be opened", async () => {
      const peer = await fixture.tcpPeer((socket) => socket.destroy());
      let asked = 0;
      const mayStart = () => ++asked > 0;
      expect(await fixture.transport().post({ ...message(peer.origin), mayStart })).toMatchObject({ kind: "notSent" });
      expect(asked).toBe(0);
    });
  });
}
