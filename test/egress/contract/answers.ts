import { describe, expect, test } from "vitest";
import { frameFlags, frameTypes, headerBlock, uint32s } from "../../fixtures/frames.ts";
import { accept, check, message, range, type TransportFixture } from "./fixture.ts";

/** Tests the parts of an answer, and the forms that HTTP/2 allows for it. */
export function answerCases(fixture: TransportFixture): void {
  describe("an answer", () => {
    test("has the status and the headers of a PushAnswer; the request arrives unchanged", async () => {
      const peer = await fixture.http2Peer({
        onRequest: ({ stream }) => {
          stream.respond({
            ":status": 201,
            location: "https://x/m/1",
            "x-wns-status": "received",
            "set-cookie": "a=b",
          });
          stream.end("of no interest");
        },
      });
      const answer = await fixture.transport().post(message(peer.origin, 7));
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

    test("that is no success has its body and Retry-After", async () => {
      const peer = await fixture.http2Peer({
        onRequest: ({ stream }) => {
          stream.respond({ ":status": 429, "retry-after": "30" });
          stream.end("slow down, ü");
        },
      });
      expect(await fixture.transport().post(message(peer.origin))).toEqual({
        kind: "answered",
        status: 429,
        headers: { "retry-after": "30" },
        body: "slow down, ü",
      });
    });
  });

  placeCases(fixture);
  formCases(fixture);
  earlyCases(fixture);
  bodyCases(fixture);
}

function placeCases(fixture: TransportFixture): void {
  describe("an answer", () => {
    test.each([301, 302, 303, 307, 308])("of %i is an answer, and its redirect is not followed", async (status) => {
      const other = await fixture.tcpPeer(() => {});
      const peer = await fixture.framePeer({
        onRequest: (request) => request.answer(status, { location: `${other.origin}/x` }),
      });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toMatchObject({ kind: "answered", status, headers: { location: `${other.origin}/x` } });
      expect(other.sockets.size).toBe(0);
    });

    test("comes from an IPv6 address with a port", async () => {
      const peer = await fixture.http2Peer({ onRequest: accept, host: "::1" });
      expect(await fixture.transport().post(message(peer.origin))).toMatchObject({ kind: "answered", status: 201 });
      expect(peer.received[0]!.headers[":authority"]).toBe(`[::1]:${peer.port}`);
    });

    test("belongs to its own request, in any order of answers", async () => {
      const peer = await fixture.framePeer();
      const sender = fixture.transport();
      const answers = range(5).map((n) => sender.post(message(peer.origin, n)));
      const requests = await peer.whenWhole(5);
      for (const request of requests.toReversed()) request.answer(500 + Number(request.body.at(-1)));
      const statuses = (await Promise.all(answers)).map((answer) => answer.kind === "answered" && answer.status);
      expect(statuses).toEqual([500, 501, 502, 503, 504]);
    });
  });
}

function formCases(fixture: TransportFixture): void {
  describe("an answer of HTTP/2", () => {
    test("after 100, 103 and another 103 is the final one", async () => {
      const peer = await fixture.framePeer({
        onRequest(request) {
          for (const status of [100, 103, 103]) request.head(status, { link: "</a>" });
          request.answer(429, { "retry-after": "7" }, "slow");
        },
      });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toEqual({ kind: "answered", status: 429, headers: { "retry-after": "7" }, body: "slow" });
    });

    test("may end with trailers, which are not its headers", async () => {
      const peer = await fixture.framePeer({
        onRequest({ session, id }) {
          const headers = frameFlags.endHeaders;
          session.send(frameTypes.headers, headers, id, headerBlock({ ":status": "503", "retry-after": "7" }));
          session.send(frameTypes.data, 0, id, Buffer.from("busy"));
          session.send(frameTypes.headers, headers | frameFlags.endStream, id, headerBlock({ "retry-after": "9" }));
        },
      });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toEqual({ kind: "answered", status: 503, headers: { "retry-after": "7" }, body: "busy" });
    });

    test("may be padded and have a priority", async () => {
      const peer = await fixture.framePeer({
        onRequest({ session, id }) {
          const padding = Buffer.alloc(20);
          const head = Buffer.concat([
            Buffer.from([20]),
            uint32s(0),
            Buffer.from([15]),
            headerBlock({ ":status": "400" }),
            padding,
          ]);
          const flags = frameFlags.padded;
          session.send(frameTypes.headers, flags | frameFlags.endHeaders | frameFlags.priority, id, head);
          session.send(frameTypes.data, flags, id, Buffer.concat([Buffer.from([20]), Buffer.from("no "), padding]));
          session.send(frameTypes.data, flags | frameFlags.endStream, id, Buffer.from("\0good"));
        },
      });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toEqual({ kind: "answered", status: 400, headers: {}, body: "no good" });
    });

    test("may have headers too large for one frame, and arrive in small pieces", async () => {
      const peer = await fixture.framePeer({
        onRequest({ session, id }) {
          const block = headerBlock({ ":status": "503", "x-filler": "f".repeat(20_000), "retry-after": "7" });
          session.send(frameTypes.headers, frameFlags.endStream, id, block.subarray(0, 3));
          session.send(frameTypes.continuation, 0, id, block.subarray(3, 16_000));
          session.send(frameTypes.continuation, 0, id, Buffer.alloc(0));
          session.send(frameTypes.continuation, frameFlags.endHeaders, id, block.subarray(16_000));
        },
      });
      const route = await fixture.route(peer.port, 7);
      const answer = await fixture.transport().post(message(route.origin));
      expect(answer).toEqual({ kind: "answered", status: 503, headers: { "retry-after": "7" }, body: "" });
    });
  });
}

function earlyCases(fixture: TransportFixture): void {
  describe("an answer of HTTP/2 that comes before the request's body was read", () => {
    test("with a reset NO_ERROR is the answer, and frees its stream", async () => {
      const peer = await fixture.framePeer({
        settings: { initialWindowSize: 0, maxConcurrentStreams: 1 },
        onHeaders(request) {
          request.answer(413, {}, "too large");
          request.reset(0);
        },
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(2).map((n) => sender.post(message(peer.origin, n))));
      const tooLarge = { kind: "answered", status: 413, headers: {}, body: "too large" };
      expect(answers).toEqual([tooLarge, tooLarge]);
      expect([peer.sessions.length, peer.requests.length]).toEqual([1, 2]);
    });

    test("without a reset is the answer; the client ends its side before another stream", async () => {
      const peer = await fixture.framePeer({
        settings: { initialWindowSize: 0, maxConcurrentStreams: 1 },
        onHeaders: (request) => request.answer(413),
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1, deadlineMs: 200 });
      const answers = await Promise.all(range(2).map((n) => sender.post(message(peer.origin, n))));
      const tooLarge = { kind: "answered", status: 413, headers: {}, body: "" };
      expect(answers).toEqual([tooLarge, tooLarge]);
      expect([peer.sessions.length, peer.requests.length]).toEqual([1, 2]);
    });
  });
}

function bodyCases(fixture: TransportFixture): void {
  describe("the bodies of answers", () => {
    // The answers have over a megabyte in all, which is more than the initial window of a client.
    test("are read without a limit for the connection", async () => {
      const peer = await fixture.http2Peer({
        onRequest: ({ stream, body }) => {
          stream.respond({ ":status": body === "message 3" ? 201 : 400 });
          stream.end(body.repeat(1_400));
        },
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      const answers = await Promise.all(range(120).map((n) => sender.post(message(peer.origin, n))));
      answers.forEach((answer, n) => {
        expect(answer).toMatchObject({ body: n === 3 ? "" : `message ${n}`.repeat(1_400) });
      });
      expect(peer.sessions).toHaveLength(1);
    });

    test("that are cut at 16 KB do not use up the window for later ones", async () => {
      const peer = await fixture.http2Peer({
        onRequest: ({ stream }) => {
          stream.respond({ ":status": 500 });
          stream.write("x".repeat(40_000));
        },
      });
      const sender = fixture.transport({ sessionsPerOrigin: 1 });
      for (const n of range(6)) {
        const answer = await sender.post(message(peer.origin, n));
        expect(answer).toEqual({ kind: "answered", status: 500, headers: {}, body: "x".repeat(16_384) });
      }
      expect(peer.sessions).toHaveLength(1);
    });

    test("that are longer than their content-length are still an answer", async () => {
      const peer = await fixture.framePeer({
        onRequest: (request) => request.answer(503, { "content-length": "2" }, "more than two"),
      });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toMatchObject({ kind: "answered", status: 503 });
      check(peer.requests, [answer]);
    });
  });
}
