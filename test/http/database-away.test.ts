import { beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn } from "../fixtures/sign-in.ts";

/** A server with the same secrets and an unreachable database. */
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  const app = await openTestApp();
  publisher = await createPublisher(app);
  cookie = await signIn(await serve(app), ownerEmail(publisher.tenantId));
  const nowhere = { host: "127.0.0.1", port: 1, user: "x", database: "x" };
  const db = openDatabase({ connection: nowhere, poolMax: 2, applicationName: "test", log: app.log });
  api = await serve({ ...app, db });
  return () => db.destroy();
});

test("every route that needs the database is 503 with Retry-After, never 401", async () => {
  const { apiKey: key, tenantId } = publisher;
  const answers = [
    await api.call("GET", `/v1/runs/${newId()}`, { key }),
    await api.call("GET", `/v1/tenants/${tenantId}/api-keys`, { headers: { cookie } }),
    await api.call("GET", "/dashboard/api/auth/get-session", { headers: { cookie } }),
    await postSignIn(api, { email: ownerEmail(tenantId), password: ownerPassword }),
    await api.call("GET", "/readyz"),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable", requestId: expect.any(String) } });
    expect(answer.headers.get("retry-after")).toBe("1");
  }
});

test("routes that need no database still answer", async () => {
  expect((await api.call("GET", "/healthz")).status).toBe(200);
  expect((await api.call("GET", "/v1/runs/x")).status).toBe(401);
  expect((await api.call("GET", "/v1/unknown")).status).toBe(404);
});
