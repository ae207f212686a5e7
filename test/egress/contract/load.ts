import { constants } from "node:http2";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { PushTransport } from "../../../src/egress/push/transport.ts";
import type { FrameRequest } from "../../fixtures/frame-session.ts";
import { check, message, range, type TransportFixture } from "./fixture.ts";

/** Tests many requests at once. Each gets exactly one answer, and memory does not grow with their number. */
export function loadCases(fixture: TransportFixture): void {
  describe("thousands of requests", () => {
    test("over several sessions are each processed and answered exactly once, in bounded memory", async () => {
      const rounds = 12;
      const perRound = 600;
      const received = new Uint8Array(rounds * perRound);
      const peer = await fixture.framePeer({
        recordsRequests: false,
        settings: { maxConcurrentStreams: 50 },
        onRequest(request) {
          received[Number(request.body.slice("message ".length))]! += 1;
          request.answer(201, { location: "https://x/m" });
        },
      });
      const sender = fixture.transport({ sessionsPerOrigin: 3 });
      const heapBytes: number[] = [];
      for (const round of range(rounds)) {
        const numbers = range(perRound).map((n) => round * perRound + n);
        expect(await postAll(sender, peer.origin, numbers)).toBe(perRound);
        heapBytes.push(usedHeapBytes());
      }
      expect(received.every((times) => times === 1)).toBe(true);
      expect(peer.sessions).toHaveLength(3);
      // A leak per request would show from the second round to the last: 6,000 requests of over 500 bytes are 3 MB.
      // Everything else that this process keeps in that time, such as compiled functions, takes less than 1 MB.
      expect(heapBytes.at(-1)! - heapBytes[1]!).toBeLessThan(1_500_000);
    });

    test("to a peer with all faults deliver no message twice, and none reported as notSent", async () => {
      let count = 0;
      const peer = await fixture.framePeer({
        settings: { maxConcurrentStreams: 20 },
        onRequest: (request) => misbehave(request, ++count),
      });
      const sender = fixture.transport({ deadlineMs: 300, queueTimeoutMs: 10_000 });
      const answers = await Promise.all(range(500).map((n) => sender.post(message(peer.origin, n))));
      check(peer.requests, answers);
      const counters = { answered: 0, notSent: 0, uncertain: 0 };
      for (const { kind } of answers) counters[kind] += 1;
      expect(counters.answered).toBeGreaterThan(100);
      expect(counters.uncertain).toBeGreaterThan(20);
      expect(counters.notSent).toBeGreaterThan(5);
    });
  });
}

function misbehave(request: FrameRequest, count: number): void {
  const { session, id } = request;
  if (count % 97 === 0) session.tcp.resetAndDestroy();
  else if (count % 41 === 0) session.goaway(constants.NGHTTP2_NO_ERROR, Math.max(0, id - 4));
  else if (count % 53 === 0) session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, id);
  else if (count % 13 === 0) request.reset(constants.NGHTTP2_INTERNAL_ERROR);
  else if (count % 29 === 0) request.reset(constants.NGHTTP2_REFUSED_STREAM);
  else if (count % 61 !== 0 && request.fate === "open") request.answer(201);
}

/** Keeps as many requests in flight as the capacity allows. Returns how many were accepted. */
async function postAll(sender: PushTransport, origin: string, numbers: number[]): Promise<number> {
  let accepted = 0;
  const runner = async () => {
    for (let n = numbers.pop(); n !== undefined; n = numbers.pop()) {
      const answer = await sender.post(message(origin, n));
      if (answer.kind === "answered" && answer.status === 201) accepted += 1;
    }
  };
  await Promise.all(range(sender.capacity(origin)).map(runner));
  return accepted;
}

function usedHeapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
