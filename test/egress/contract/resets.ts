import { constants } from "node:http2";
import { describe, expect, test } from "vitest";
import type { FrameRequest } from "../../fixtures/frame-session.ts";
import type { RawHttp1Request } from "../../fixtures/raw-http1-peer.ts";
import { check, message, protocols, range, type TransportFixture } from "./fixture.ts";

/** Tests faults 13 and 14: streams that are reset, and connections that break. */
export function resetCases(fixture: TransportFixture): void {
  describe("RST_STREAM (fault 13)", () => {
    test("with REFUSED_STREAM leaves the request unsent, and does not affect others", async () => {
      const peer = await fixture.framePeer({
        onRequest: (request) =>
          request.body === "message 1" ? request.reset(constants.NGHTTP2_REFUSED_STREAM) : request.answer(201),
      });
      const sender = fixture.transport();
      const answers = await Promise.all(range(3).map((n) => sender.post(message(peer.origin, n))));
      expect(answers).toMatchObject([
        { kind: "answered" },
        { kind: "notSent", reason: "refused_stream" },
        { kind: "answered" },
      ]);
      check(peer.requests, answers);
    });

    test("with REFUSED_STREAM before the window allows the body leaves the request unsent", async () => {
      const peer = await fixture.framePeer({
        settings: { initialWindowSize: 0, maxConcurrentStreams: 1 },
        onHeaders: (request) => request.reset(constants.NGHTTP2_REFUSED_STREAM),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(3).map((n) => sender.post(message(peer.origin, n))));
      expect(answers).toEqual(range(3).map(() => ({ kind: "notSent", reason: "refused_stream" })));
    });

    test.each([
      constants.NGHTTP2_NO_ERROR,
      constants.NGHTTP2_PROTOCOL_ERROR,
      constants.NGHTTP2_INTERNAL_ERROR,
      constants.NGHTTP2_FLOW_CONTROL_ERROR,
      constants.NGHTTP2_STREAM_CLOSED,
      constants.NGHTTP2_CANCEL,
      constants.NGHTTP2_ENHANCE_YOUR_CALM,
      constants.NGHTTP2_HTTP_1_1_REQUIRED,
      0xbad,
    ])("with code %i after the body leaves it uncertain, and the connection in use", async (code) => {
      const peer = await fixture.framePeer({
        onRequest: (request) => (request.body === "message 0" ? request.reset(code) : request.answer(201)),
      });
      const sender = fixture.transport();
      const answers = [await sender.post(message(peer.origin, 0)), await sender.post(message(peer.origin, 1))];
      expect(answers).toMatchObject([{ kind: "uncertain" }, { kind: "answered" }]);
      expect(peer.requests.map(({ session }) => session.no)).toEqual([0, 0]);
    });

    test.each([constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_CANCEL])(
      "with code %i after the status keeps that status as the answer",
      async (code) => {
        const peer = await fixture.framePeer({
          onRequest: (request) => {
            request.head(503, { "retry-after": "7" });
            request.data("bus");
            request.reset(code);
          },
        });
        const answer = await fixture.transport().post(message(peer.origin));
        expect(answer).toMatchObject({ kind: "answered", status: 503, headers: { "retry-after": "7" } });
      },
    );
  });

  brokenCases(fixture);
}

const breaks: [string, (request: FrameRequest | RawHttp1Request) => void][] = [
  ["a reset of the connection", ({ session }) => void session.tcp.resetAndDestroy()],
  ["the end of the peer's side", ({ session }) => void session.socket.end()],
  ["the end of TCP without the end of TLS", ({ session }) => void session.tcp.end()],
];

function brokenCases(fixture: TransportFixture): void {
  describe.each(protocols)("over %s (fault 14)", (protocol) => {
    test.each(breaks)(
      "%s before the answer leaves it uncertain, and the next request uses a new connection",
      async (_, cut) => {
        const peer = await fixture.peerOf(protocol, (request) =>
          request.body === "message 1" ? cut(request) : request.answer(201),
        );
        const sender = fixture.transport({ sessionsPerOrigin: 1 });
        const answers = [];
        for (const n of range(3)) answers.push(await sender.post(message(peer.origin, n)));
        expect(answers).toMatchObject([{ kind: "answered" }, { kind: "uncertain" }, { kind: "answered" }]);
        check(peer.requests, answers);
        expect([peer.requests.length, peer.sockets.size]).toEqual([3, 2]);
      },
    );

    test.each(breaks)("%s during the answer keeps its status as the answer", async (_, cut) => {
      const peer = await fixture.peerOf(protocol, (request) => {
        request.head(503, { "retry-after": "7", "content-length": "100" });
        request.data("busy", false, () => cut(request));
      });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toEqual({ kind: "answered", status: 503, headers: { "retry-after": "7" }, body: "busy" });
      check(peer.requests, [answer]);
    });

    test("invalid bytes leave the request uncertain", async () => {
      const peer = await fixture.peerOf(
        protocol,
        ({ session }) => void session.socket.write("\0\0\x04\x01nonsense\r\n\r\n"),
      );
      const answers = [await fixture.transport({ deadlineMs: 500 }).post(message(peer.origin))];
      expect(answers).toMatchObject([{ kind: "uncertain" }]);
      check(peer.requests, answers);
    });
  });

  test("a broken connection ends each request in flight once, and sends none again (fault 14)", async () => {
    const peer = await fixture.framePeer();
    const sender = fixture.transport({ sessionsPerOrigin: 1 });
    const answers = range(50).map((n) => sender.post(message(peer.origin, n)));
    const held = await peer.whenWhole(50);
    for (const request of held.slice(0, 20)) request.answer(201);
    await Promise.all(answers.slice(0, 20));
    held[0]!.session.tcp.resetAndDestroy();
    const all = await Promise.all(answers);
    expect(all.map(({ kind }) => kind)).toEqual(range(50).map((n) => (n < 20 ? "answered" : "uncertain")));
    check(peer.requests, all);
    expect(peer.requests).toHaveLength(50);
  });
}
