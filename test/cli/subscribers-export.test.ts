import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { readAuditLog } from "../../src/audit/read-log.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, operatorOf, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { runHere } from "./run-here.ts";

// A command takes a few seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** More than a page of the export. */
const readers = 2_500;

let app: App;
let publisher: Publisher;
let folder: string;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  const { siteId, tenantId } = publisher;
  const operator = operatorOf(tenantId);
  const add = async (name: string) => (await addTopic(app, operator, { siteId, name })).topicId;
  const [kept, retired] = [await add("Sport"), await add("Politics")];
  const [first, second, ...others] = createSubscriptions(readers);
  await subscribe(app, siteId, [{ ...first!, topics: [kept, retired] }, { ...second!, topics: [retired] }, ...others]);
  await subscribe(app, siteId, createSubscriptions(1), "My phone");
  await changeTopic(app, operator, { siteId, topicId: retired, body: { retired: true } });
  folder = await mkdtemp(join(tmpdir(), "pressbell-export-"));
  return () => rm(folder, { recursive: true });
});

const pressbell = (...words: string[]) => runHere(words, { ...settingsOf(app), LOG_LEVEL: "silent" });
const exportTo = (...file: string[]) => pressbell("subscribers", "export", "--site", publisher.siteId, ...file);

test("an import of the export restores every reader with their topics", async () => {
  const file = join(folder, "whole.ndjson");
  expect(await exportTo(file)).toEqual({ code: 0, out: "", err: "" });
  const text = await readFile(file, "utf8");
  expect(text.trim().split("\n")).toHaveLength(readers);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const importIt = () => pressbell("subscribers", "import", "--site", publisher.siteId, "--json", file);
  expect(JSON.parse((await importIt()).out)).toMatchObject({ lines: readers, unchanged: readers, wrong: 0 });
  await deleteSubscribers(app, { isTest: false });
  expect(JSON.parse((await importIt()).out)).toMatchObject({ lines: readers, added: readers, wrong: 0 });
  const { code, out } = await exportTo();
  expect([code, new Set(out.split("\n"))]).toEqual([0, new Set(text.split("\n"))]);
});

test("an export is recorded with the operator, before its first line", async () => {
  await exportTo();
  const { data } = await readAuditLog(app, publisher.actor, { query: { limit: "1" } });
  expect(data).toMatchObject([{ event: "subscribers.exported", by: { kind: "operator" } }]);
});

test("an existing file and an unknown site are refused, and the file stays as it is", async () => {
  const file = join(folder, "mine.txt");
  await writeFile(file, "mine");
  expect(await exportTo(file)).toMatchObject({
    code: 1,
    err: expect.stringContaining("FILE.ndjson must be a file that"),
  });
  expect(await readFile(file, "utf8")).toBe("mine");
  expect(await pressbell("subscribers", "export", "--site", "x")).toMatchObject({
    code: 1,
    err: "There is no site x. See pressbell sites list.\n",
  });
});

test("an export that fails exits with 1 and leaves no part of a file", async () => {
  await sql`alter table subscriber_topics rename to away`.execute(app.db);
  const failed = await exportTo(join(folder, "failed.ndjson"));
  await sql`alter table away rename to subscriber_topics`.execute(app.db);
  expect(failed.code).toBe(1);
  expect(await readdir(folder)).not.toContain("failed.ndjson");
});

test("an export whose reader has read enough ends with 1 and without an error message", async () => {
  const main = new URL("../../src/main.ts", import.meta.url).pathname;
  const words = ["subscribers", "export", "--site", publisher.siteId];
  const child = spawn(process.execPath, [main, ...words], {
    env: { ...process.env, ...settingsOf(app), LOG_LEVEL: "silent" },
  });
  child.stdout.once("data", () => child.stdout.destroy());
  let err = "";
  child.stderr.on("data", (chunk) => (err += chunk));
  const [code] = await once(child, "close");
  expect([code, err]).toEqual([1, ""]);
});
