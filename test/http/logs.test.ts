import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { v1Routes } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { loggableError } from "../../src/log.ts";
import { type Api, createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type ServiceProcess, startService } from "../fixtures/service-process.ts";
import { ownerEmail, ownerPassword, postSignIn } from "../fixtures/sign-in.ts";

let app: App;
let service: ServiceProcess;
let api: Api;
let publisher: Publisher;
/** All texts that no log may contain. */
const canaries: string[] = [ownerPassword];

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  const subscriptions = createSubscriptions(3);
  await subscribe(app, publisher.siteId, subscriptions, "device");
  for (const { endpoint, keys } of subscriptions) canaries.push(endpoint, keys.p256dh, keys.auth);
  canaries.push(publisher.apiKey);
  const started = await startService("api", { ...settingsOf(app), LOG_LEVEL: "trace" });
  service = started;
  api = createApi(started.url);
});

const canary = () => {
  const text = `canary${randomBytes(8).toString("hex")}`;
  canaries.push(text);
  return text;
};

test("the log contains no key, password, cookie, endpoint or text of a caller, for any route", async () => {
  const email = ownerEmail(publisher.tenantId);
  const signedIn = await postSignIn(api, { email, password: ownerPassword });
  await postSignIn(api, { email, password: canary() });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
  canaries.push(decodeURIComponent(cookie.split("=")[1]!), cookie.split("=")[1]!);
  const keysPath = `/v1/tenants/${publisher.tenantId}/api-keys`;
  const made = await api.call("POST", keysPath, { headers: { cookie }, body: { name: "x" } });
  canaries.push(made.body.secret);

  for (const { method, path } of v1Routes) {
    const at = path.replace(":tenantId", publisher.tenantId).replaceAll(/:\w+/g, newId());
    const body = method === "GET" ? undefined : { title: canary(), url: `https://news.example/?token=${canary()}` };
    const headers = { "idempotency-key": canary(), "x-api-key": canary(), cookie: `a=${canary()}` };
    await api.call(method, `${at}?api_key=${canary()}`, { key: publisher.apiKey, body, headers });
    const broken = method === "GET" ? undefined : `{"broken": "${canary()}`;
    await api.call(method, at, { key: `pbk_${canary()}`, body: broken });
    await api.call(method, at, { key: publisher.apiKey, body: broken });
    await api.call(method, at, { key: publisher.apiKey, headers: { origin: `https://${canary()}.example` } });
    if (method !== "DELETE") await api.call(method, at, { headers: { cookie }, body });
  }
  await api.call("DELETE", `${keysPath}/${made.body.secret}`, { headers: { cookie } });
  await api.call("GET", `/v1/unknown/${publisher.apiKey}`);
  await api.call("GET", "/v1/campaigns/%zz", { headers: { authorization: `Basic ${canary()}` } });

  const last = await api.call("GET", "/healthz");
  const id = last.headers.get("x-request-id")!;
  const log = await eventually(async () => service.output().includes(id) && service.output());
  expect(log).toContain('"path":"/v1/content/preview"');
  for (const text of canaries) expect(log.includes(text), text).toBe(false);
});

test("the log of a failed statement contains nothing of its row", async () => {
  // PostgreSQL prints the first 64 bytes of each value.
  const endpoint = createSubscriptions(1)[0]!.endpoint.slice(0, 60);
  const failing = sql`insert into subscribers (site_id, endpoint, endpoint_hash, p256dh, auth, push_service)
    values (${publisher.siteId}, ${endpoint}, '', '', '', 'fcm')`.execute(app.db);
  const error = await failing.catch((failure: unknown) => failure);
  expect((error as { detail: string }).detail).toContain(endpoint);
  const logged = loggableError(error);
  expect(logged).toMatchObject({ code: "23514", table: "subscribers", message: expect.stringContaining("check") });
  expect(JSON.stringify(logged)).not.toContain(endpoint);
});
