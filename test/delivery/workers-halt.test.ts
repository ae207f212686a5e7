import { monitorEventLoopDelay } from "node:perf_hooks";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pause, view } from "../runs/world.ts";
import { type Api, serve } from "../worlds/app.ts";
import { onThisMachine } from "../worlds/busy-machine.ts";
import { eventually } from "../worlds/eventually.ts";
import { ended, expectNobodyLost, type Fleet, ownersOf, startAmid, startFleet } from "./fleet.ts";

const audience = 2_500;
/** Three runs on a machine that may be busy. */
const timeoutMs = 90_000;

let fleet: Fleet;
let api: Api;

beforeAll(async () => {
  fleet = await startFleet(2, audience);
  api = await serve(fleet.app);
  return () => fleet.pushService.close();
});

beforeEach(() => fleet.pushService.reset());

describe("workers amid a run", () => {
  test(
    "post nothing more a second after a stop was answered, and the counts are exact",
    async () => {
      const { publisher, pushService } = fleet;
      const run = await startAmid(fleet, 300);
      // On a busy machine the simulator itself reads a message late.
      const lag = monitorEventLoopDelay({ resolution: 5 });
      lag.enable();
      const stopped = await api.call("POST", `/v1/runs/${run.runId}/stop`, { key: publisher.apiKey });
      const answeredAt = performance.timeOrigin + performance.now();
      expect(stopped).toMatchObject({ status: 200, body: { audience } });
      expect(["stopping", "stopped"]).toContain(stopped.body.status);
      const seen = await ended(fleet, run);
      expect(seen).toMatchObject({ status: "stopped", pending: 0, unknown: 0, repeated: 0 });
      const { accepted, lastAt } = pushService.stats();
      expect([seen.accepted, seen.accepted + seen.notSent]).toEqual([accepted, audience]);
      expect(seen.notSent).toBeGreaterThan(0);
      expect(lastAt! - answeredAt).toBeLessThan(1_000 + lag.max / 1e6);
      const again = await api.call("POST", `/v1/runs/${run.runId}/stop`, { key: publisher.apiKey });
      expect(again).toMatchObject({ status: 200, body: { status: "stopped" } });
    },
    timeoutMs,
  );

  test(
    "halt within two seconds of a pause, and after it reach the rest, each once",
    async () => {
      const { app, publisher, pushService } = fleet;
      const run = await startAmid(fleet, 300);
      await pause(app, "tenants", publisher.tenantId);
      const pausedAt = performance.timeOrigin + performance.now();
      await eventually(async () => (await ownersOf(app, run)).length === 0, 30_000);
      const held = await view(app, publisher, run);
      expect(held).toMatchObject({ status: "sending", heldBy: "tenant_paused", repeated: 0 });
      expect(held.accepted).toBe(pushService.stats().accepted);
      expect(held.pending).toBe(audience - held.accepted);
      expect(held.pending).toBeGreaterThan(0);
      expect(pushService.stats().lastAt! - pausedAt).toBeLessThan(onThisMachine(2_000));

      await pause(app, "tenants", publisher.tenantId, false);
      expectNobodyLost(fleet, await ended(fleet, run), audience);
      expect(pushService.stats().repeated).toBe(0);
    },
    timeoutMs,
  );

  test(
    "drain when asked to end: exit 0, nothing sent twice, and the other finishes the run",
    async () => {
      const { pushService, workers } = fleet;
      const run = await startAmid(fleet, 300);
      workers[0]!.process.kill("SIGTERM");
      expect(await workers[0]!.ended).toBe(0);
      const seen = await ended(fleet, run);
      expectNobodyLost(fleet, seen, audience);
      expect([seen.repeated, pushService.stats().repeated]).toEqual([0, 0]);
    },
    timeoutMs,
  );
});
