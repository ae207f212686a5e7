import { expect, test, vi } from "vitest";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";

vi.setConfig({ testTimeout: 60_000 });

test("a worker with METRICS_PORT serves its health and metrics there, and nothing else", async () => {
  const app = await openTestApp();
  const worker = spawnProcess(["worker"], {
    ...settingsOf(app),
    METRICS_PORT: "0",
    METRICS_TOKEN: "a-token-of-16-characters",
  });
  const [, url] = await worker.printed(/health and metrics on (http:\/\/[\d.:]+)/);
  const status = async (path: string) => (await fetch(`${url}${path}`)).status;
  expect(await Promise.all(["/healthz", "/readyz", "/metrics", "/v1/runs", "/"].map(status))).toEqual([
    ...[200, 200, 401, 404, 404],
  ]);
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: "Bearer a-token-of-16-characters" } });
  expect(metrics.status).toBe(200);
  const text = await metrics.text();
  for (const name of ["pressbell_encryption_info", "pressbell_feeds", "nodejs_eventloop_lag_seconds"])
    expect(text).toContain(`\n${name}`);
  worker.process.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
