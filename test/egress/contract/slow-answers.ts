import { constants } from "node:http2";
import { describe, expect, test } from "vitest";
import type { FrameRequest } from "../../fixtures/frame-session.ts";
import { frameTypes, headerBlock } from "../../fixtures/frames.ts";
import type { RawHttp1Request } from "../../fixtures/raw-http1-peer.ts";
import { accept, check, message, protocols, range, type TransportFixture } from "./fixture.ts";

type WireRequest = FrameRequest | RawHttp1Request;

/** Tests faults 11 and 12: peers that accept a request and answer never, slowly, or endlessly. */
export function slowCases(fixture: TransportFixture): void {
  describe.each(protocols)("a slow peer over %s", (protocol) => {
    const uncertain = { kind: "uncertain" };

    test("that never answers leaves the request uncertain at the deadline, not the next (fault 11)", async () => {
      const peer = await fixture.peerOf(protocol, (request) => {
        if (request.body !== "message 0") request.answer(201);
      });
      const sender = fixture.transport({ deadlineMs: 150, sessionsPerOrigin: 1 });
      const answers = [];
      for (const n of range(2)) answers.push(await sender.post(message(peer.origin, n)));
      expect(answers).toMatchObject([{ kind: "uncertain", reason: "deadline" }, { kind: "answered" }]);
      check(peer.requests, answers);
    });

    test("with slow endless headers leaves the request uncertain at the deadline (fault 12)", async () => {
      const peer = await fixture.peerOf(protocol, (request) => sendSlowHead(request));
      const startedAtMs = performance.now();
      const answer = await fixture.transport({ deadlineMs: 200 }).post(message(peer.origin));
      expect(answer).toMatchObject(uncertain);
      expect(performance.now() - startedAtMs).toBeLessThan(600);
    });

    test("whose headers are fast and endless is cut off long before the deadline (fault 12)", async () => {
      let sentBytes = 0;
      const peer = await fixture.peerOf(protocol, (request) => {
        sendEndlessHead(request);
        request.session.tcp.once("close", () => {
          sentBytes = request.session.tcp.bytesWritten;
        });
      });
      expect(await fixture.transport({ deadlineMs: 5_000 }).post(message(peer.origin))).toMatchObject(uncertain);
      await expect.poll(() => sentBytes).toBeGreaterThan(0);
      expect(sentBytes).toBeLessThan(20_000_000);
    });

    test("with a slow endless body is answered at the deadline, without extension (fault 12)", async () => {
      const peer = await fixture.peerOf(protocol, (request) => {
        request.head(502);
        every(20, request, () => request.data("."));
      });
      const answer = await fixture.transport({ deadlineMs: 200 }).post(message(peer.origin));
      expect(answer).toMatchObject({ kind: "answered", status: 502, body: expect.stringMatching(/^\.{2,}$/) });
      check(peer.requests, [answer]);
    });

    test("whose body is fast and endless is cut at 16 KB (fault 12)", async () => {
      const peer = await fixture.peerOf(protocol, (request) => {
        request.head(500);
        request.data("x".repeat(60_000));
      });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toEqual({ kind: "answered", status: 500, headers: {}, body: "x".repeat(16_384) });
    });

    test("is not waited for if the status is a success", async () => {
      const peer = await fixture.peerOf(protocol, (request) => {
        request.head(201);
        request.data(".");
      });
      const answer = await fixture.transport({ deadlineMs: 150 }).post(message(peer.origin));
      expect(answer).toEqual({ kind: "answered", status: 201, headers: {}, body: "" });
    });
  });

  silenceCases(fixture);
}

function silenceCases(fixture: TransportFixture): void {
  describe("a silent peer over HTTP/2 (fault 11)", () => {
    test("frees the stream of a request at its deadline, on the same connection", async () => {
      const peer = await fixture.framePeer({
        settings: { maxConcurrentStreams: 1 },
        onRequest(request) {
          if (request.body !== "message 0") request.answer(201);
        },
      });
      const sender = fixture.transport({ deadlineMs: 200, sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(2).map((n) => sender.post(message(peer.origin, n))));
      expect(answers).toMatchObject([{ kind: "uncertain", reason: "deadline" }, { kind: "answered" }]);
      check(peer.requests, answers);
      expect(peer.sessions).toHaveLength(1);
    });

    test("whose answer comes after the deadline is ignored, and affects no other request", async () => {
      const late: FrameRequest[] = [];
      const peer = await fixture.framePeer({
        onRequest: (request) => (request.body === "message 0" ? late.push(request) : request.answer(201)),
        onReset: (request) => {
          request.head(201);
          request.data("late", true);
        },
      });
      const sender = fixture.transport({ deadlineMs: 150, sessionsPerOrigin: 1 });
      expect(await sender.post(message(peer.origin, 0))).toEqual({ kind: "uncertain", reason: "deadline" });
      expect(await sender.post(message(peer.origin, 1))).toMatchObject({ kind: "answered" });
      expect([late.length, peer.sessions.length]).toEqual([1, 1]);
    });

    test("behind a broken route is detected by a ping, and the next request uses a new connection", async () => {
      const peer = await fixture.http2Peer({});
      const route = await fixture.route(peer.port);
      const sender = fixture.transport({ deadlineMs: 500 });
      const lost = sender.post(message(route.origin, 0));
      await peer.whenReceived(1);
      route.cut();
      expect(await lost).toEqual({ kind: "uncertain", reason: `stream_closed: ${constants.NGHTTP2_CANCEL}` });
      const next = sender.post(message(route.origin, 1));
      accept((await peer.whenReceived(2))[1]!);
      expect(await next).toMatchObject({ kind: "answered" });
      expect(peer.received[1]!.session).toBe(1);
    });
  });
}

function every(ms: number, { session }: WireRequest, act: () => void): void {
  const timer = setInterval(act, ms);
  session.tcp.once("close", () => clearInterval(timer));
}

function sendSlowHead(request: WireRequest): void {
  if (!("id" in request)) {
    request.session.socket.write("HTTP/1.1 201 Said\r\n");
    every(20, request, () => request.session.socket.write("x: y\r\n"));
    return;
  }
  const { session, id } = request;
  session.isSilent = true;
  session.send(frameTypes.headers, 0, id, headerBlock({ ":status": "201" }));
  every(60, request, () => session.send(frameTypes.continuation, 0, id, headerBlock({ x: "y" })));
}

function sendEndlessHead(request: WireRequest): void {
  const { socket } = request.session;
  const filler = "f".repeat(10_000);
  let send = () => socket.write(`x: ${filler}\r\n`);
  if ("id" in request) {
    const { session, id } = request;
    session.send(frameTypes.headers, 0, id, headerBlock({ ":status": "201" }));
    send = () => {
      session.send(frameTypes.continuation, 0, id, headerBlock({ x: filler }));
      return true;
    };
  } else {
    socket.write("HTTP/1.1 201 Said\r\n");
  }
  const timer = setInterval(() => range(10).forEach(send), 1);
  socket.once("close", () => clearInterval(timer));
}
