import { describe, expect, test } from "vitest";
import { message, range, type TransportFixture } from "./fixture.ts";

/** Tests for HTTP/1.1 only, for push services that support nothing better. */
export function http1Cases(fixture: TransportFixture): void {
  describe("a peer over HTTP/1.1", () => {
    test("gets requests over kept-alive sockets, with the given and four standard headers", async () => {
      let names: string[] = [];
      const peer = await fixture.http1Peer((request, response) => {
        names = Object.keys(request.headers).sort();
        request.resume().on("end", () => response.writeHead(201, { location: "/m" }).end());
      });
      const sender = fixture.transport();
      const answer = { kind: "answered", status: 201, headers: { location: "/m" }, body: "" };
      for (const n of range(5)) expect(await sender.post(message(peer.origin, n))).toEqual(answer);
      expect(peer.sockets.size).toBe(1);
      expect(sender.capacity(peer.origin)).toBe(50);
      expect(names).toEqual(["authorization", "connection", "content-length", "host", "ttl"]);
    });

    test("gets 50 sockets at most", async () => {
      const held: (() => void)[] = [];
      let onFifty = () => {};
      const fifty = new Promise<void>((resolve) => {
        onFifty = resolve;
      });
      const peer = await fixture.http1Peer((request, response) => {
        request.resume().on("end", () => {
          held.push(() => response.writeHead(201).end());
          if (held.length === 50) onFifty();
          if (held.length > 50) held.at(-1)!();
        });
      });
      const sender = fixture.transport();
      const answers = range(80).map((n) => sender.post(message(peer.origin, n)));
      await fifty;
      for (const answer of held.slice(0, 50)) answer();
      expect((await Promise.all(answers)).every((answer) => answer.kind === "answered")).toBe(true);
      expect(peer.sockets.size).toBe(50);
    });

    test("may send 100 and 103 before its answer, and redirect", async () => {
      const peer = await fixture.rawHttp1Peer({
        onRequest: (request) => {
          request.head(100);
          request.head(103, { link: "</a>" });
          request.answer(307, { location: "https://elsewhere.invalid/" }, "go");
        },
      });
      const sender = fixture.transport();
      const headers = { location: "https://elsewhere.invalid/" };
      for (const n of range(2)) {
        expect(await sender.post(message(peer.origin, n))).toEqual({
          kind: "answered",
          status: 307,
          headers,
          body: "go",
        });
      }
      expect(peer.sockets.size).toBe(1);
    });

    test("that closes after each answer gets each request once", async () => {
      const peer = await fixture.rawHttp1Peer({
        onRequest: (request) => {
          request.answer(201, { connection: "close" });
          request.session.socket.end();
        },
      });
      const sender = fixture.transport();
      for (const n of range(4)) expect(await sender.post(message(peer.origin, n))).toMatchObject({ kind: "answered" });
      expect([peer.requests.length, peer.sockets.size]).toEqual([4, 4]);
    });
  });
}
