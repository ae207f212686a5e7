import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leaseEmbeddedPostgres } from "../../src/db/embedded/lease.ts";
import { createClient } from "../../src/db/pool.ts";
import { createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { startService } from "../fixtures/service-process.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

test("the log names no address, key, secret or e-mail of readers and members, at any level", async () => {
  const app = await openTestApp();
  const publisher = await createPublisher(app);
  const service = await startService("api", { ...settingsOf(app), LOG_LEVEL: "debug" });
  const api = createApi(service.url);
  const client = createReaderClient(api, publisher.siteId);
  const [reader] = createSubscriptions(1);
  const proof = { endpoint: reader!.endpoint, auth: reader!.keys.auth };
  await client.subscribe(reader!);
  await client.subscribe(reader!, { topicIds: ["no id"] });
  for (const path of ["preferences", "data", "erasure"]) await client.post(path, proof);
  await client.post("data", proof);
  await signIn(api, ownerEmail(publisher.tenantId));
  service.process.kill("SIGTERM");
  await service.ended;
  const log = service.output();
  expect(log).toContain("/data");
  for (const secret of [reader!.endpoint, reader!.endpoint.slice(-40), proof.auth, reader!.keys.p256dh])
    expect(log).not.toContain(secret);
  expect(log).not.toContain(ownerEmail(publisher.tenantId));
});

test("the embedded PostgreSQL logs failed statements without rows, values or COPY lines", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "pressbell-log-"));
  const lease = await leaseEmbeddedPostgres(dataDir);
  const client = createClient(lease.connection, "tests");
  await client.connect();
  const email = "reader@news.example";
  await client.query("create table people (email text primary key)");
  const insert = `insert into people values ('${email}')`;
  await client.query(insert);
  await expect(client.query(insert)).rejects.toMatchObject({ detail: expect.stringContaining(email) });
  await expect(client.query("insert into people values ($1)", [email])).rejects.toThrow("duplicate key");
  const copy = client.query(`copy people from program 'echo ${email}'`);
  await expect(copy).rejects.toMatchObject({ where: expect.stringContaining("line 1") });
  await client.end();
  // PostgreSQL has written its whole log when it has ended.
  await lease.release();
  const log = readFileSync(join(dataDir, "postgres.log"), "utf8");
  rmSync(dataDir, { recursive: true });
  expect(log.match(/duplicate key value violates unique constraint/g)).toHaveLength(3);
  expect(log).not.toContain(email);
  expect(log).not.toMatch(/DETAIL|CONTEXT|STATEMENT/);
});
