import { expect, test } from "vitest";
import { createServer } from "../../src/http/server.ts";
import { endRuns, openDesk } from "../campaigns/desk.ts";
import { createApi } from "../worlds/app.ts";
import { ownerEmail, signIn } from "../worlds/sign-in.ts";

/** The names of the events of a stream, until it ends. */
async function namesOf(stream: Response): Promise<string[]> {
  return [...(await stream.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name!);
}

test("a run is told as it is, as it changes, and at its end", async () => {
  const desk = await openDesk();
  const { tenantId } = desk.publisher;
  const cookie = await signIn(desk.api, ownerEmail(tenantId));
  const { runId } = await desk.campaignThatIs("sending");
  const follow = () =>
    fetch(`${desk.api.url}/dashboard/api/tenants/${tenantId}/runs/${runId}/events`, { headers: { cookie } });
  const stream = await follow();
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  expect(stream.headers.get("cache-control")).toBe("no-store");
  await endRuns(desk.app);
  expect((await namesOf(stream)).slice(-2)).toEqual(["run", "end"]);
  expect(await namesOf(await follow())).toEqual(["run", "end"]);
});

test("a server that closes ends the streams that are open, and does not wait for their readers", async () => {
  const desk = await openDesk();
  const { runId } = await desk.campaignThatIs("sending");
  const server = createServer(desk.app);
  const api = createApi(await server.listen({ port: 0, host: "127.0.0.1" }));
  const { tenantId } = desk.publisher;
  const cookie = await signIn(api, ownerEmail(tenantId));
  const stream = await fetch(`${api.url}/dashboard/api/tenants/${tenantId}/runs/${runId}/events`, {
    headers: { cookie },
  });
  const reader = stream.body!.getReader();
  await reader.read();
  const startedMs = performance.now();
  await server.close();
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  await expect(reader.read()).rejects.toThrow();
});
