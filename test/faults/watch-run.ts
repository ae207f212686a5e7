import { setTimeout as delay } from "node:timers/promises";
import type { FaultFixture } from "./fixture.ts";
import type { Call } from "./history.ts";

/** Reads the run through the API every `everyMs` until `stop`, which returns the calls. The history also has them. */
export function watchRun(fixture: FaultFixture, runId: string, everyMs = 50): { stop(): Promise<Call[]> } {
  const calls: Call[] = [];
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      calls.push(await fixture.call("GET", `/v1/runs/${runId}`));
      await delay(everyMs);
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
