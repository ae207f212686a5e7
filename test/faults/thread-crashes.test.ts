import { expect, test } from "vitest";
import { ended, expectAllReached, startFleet, startSending } from "./fleet.ts";

const audience = 3_000;

test("a delivery thread that crashes during a run is replaced, and its batches continue when their leases end", async () => {
  const crashes = { NODE_OPTIONS: `--import ${new URL("./crash-thread.ts", import.meta.url).pathname}` };
  const fleet = await startFleet(1, audience, crashes);
  const [worker] = fleet.workers;
  const run = await startSending(fleet, 500);
  worker!.process.kill("SIGUSR2");
  await worker!.printed(/a delivery thread died/);
  expectAllReached(fleet, await ended(fleet, run), audience);
  worker!.process.kill("SIGTERM");
  expect(await worker!.ended).toBe(0);
  await fleet.pushService.close();
});
