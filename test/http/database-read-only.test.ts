import { beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher, createSubscriptions, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";

/** A server whose database is read-only, like a standby, or a primary during a failover. */
let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  const app = await openTestApp();
  publisher = await createPublisher(app);
  const url = new URL(urlOf(app.connection));
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  const db = openDatabase({ connection: { url: url.href }, poolMax: 2, applicationName: "test", log: app.log });
  api = await serve({ ...app, db });
  return () => db.destroy();
});

test("every request that writes is 503 with Retry-After; the process is alive, not ready", async () => {
  const { apiKey: key, siteId } = publisher;
  const [subscription] = createSubscriptions(1);
  const answers = [
    await api.call("POST", `/v1/runs/${newId()}/stop`, { key }),
    await api.call("POST", `/v1/campaigns/${newId()}/send`, { key }),
    await createReaderClient(api, siteId).subscribe(subscription!),
    await api.call("GET", "/readyz"),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  expect((await api.call("GET", "/healthz")).status).toBe(200);
});
