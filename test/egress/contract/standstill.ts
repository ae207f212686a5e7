import { describe, expect, test } from "vitest";
import { message, protocols, type TransportFixture } from "./fixture.ts";

/**
 * Tests a process that was stalled (SIGSTOP, a hypervisor's pause). It finds its deadlines passed, and answers in its
 * sockets.
 */
export function standstillCases(fixture: TransportFixture): void {
  /** Lets ten seconds pass by the transport's clock. 50 ms of them are real, so that its timer is due. */
  function standStill(): void {
    fixture.advance(10_000);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }

  describe.each(protocols)("a process that stood still beyond its deadlines over %s", (protocol) => {
    test("reads the answers that came meanwhile", async () => {
      const peer = await fixture.peerOf(protocol, (request) => {
        request.answer(201);
        setImmediate(standStill);
      });
      const answer = await fixture.transport({ deadlineMs: 200 }).post(message(peer.origin));
      expect(answer).toMatchObject({ kind: "answered", status: 201 });
    });
  });
}
