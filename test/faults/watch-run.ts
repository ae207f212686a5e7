import { setTimeout as delay } from "node:timers/promises";
import type { FaultFixture } from "./fixture.ts";
import type { Call } from "./history.ts";

/** Reads the run through the API in a loop until `stop`, which returns the calls. */
export function watchRun(fixture: FaultFixture, runId: string): { stop(): Promise<Call[]> } {
  const calls: Call[] = [];
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      calls.push(await fixture.call("GET", `/v1/runs/${runId}`));
      await delay(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await loop;
      return calls;
    },
  };
}
