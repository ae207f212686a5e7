import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Finding } from "../../src/doctor/finding.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import type { Printed } from "./run-command.ts";
import { runHere } from "./run-here.ts";

const nothing = { VAPID_SUBJECT: "mailto:desk@example.org", PORT: "0" };

function read({ out }: Printed): { ok: boolean; levels: Record<string, string>; findings: Finding[] } {
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  return { ok, findings, levels: Object.fromEntries(findings.map(({ check, level }) => [check, level])) };
}

test("doctor exits with 0 on a database in order; push services without a network are warnings", async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "pressbell-doctor-"));
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  expect(await runHere(["migrate"], { DATA_DIR })).toMatchObject({ code: 0 });
  const ended = await runHere(["doctor", "--json"], { ...nothing, DATA_DIR });
  const { ok, levels } = read(ended);
  expect({ ok, code: ended.code, err: ended.err }).toEqual({ ok: true, code: 0, err: "" });
  expect(levels).toMatchObject({
    settings: "ok",
    "database version": "ok",
    "database writes": "ok",
    "database schema": "ok",
    "secret key": "ok",
    "database durability": "ok",
    clock: "ok",
    disk: "ok",
    port: "ok",
    "VAPID subject": "ok",
    PUBLIC_URL: "warning",
  });
  expect(Object.keys(levels).filter((check) => check.startsWith("push service"))).toHaveLength(4);
}, 60_000);

test("doctor exits with 1 on another secret key, and for a site that does not exist", async () => {
  const app = await openTestApp();
  await createPublisher(app);
  const settings = { ...settingsOf(app), ...nothing, SECRET_KEY: "x".repeat(32) };
  const ended = await runHere(["doctor", "--site", "unknown", "--json"], settings);
  expect(ended.code).toBe(1);
  expect(read(ended)).toMatchObject({ ok: false, levels: { "secret key": "failed", site: "failed" } });
}, 60_000);

test("doctor prints a line for each check, also for a wrong setting and a missing database", async () => {
  const wrong = await runHere(["doctor"], { PORT: "eighty" });
  expect(wrong).toEqual({
    code: 1,
    out: "failed   settings: Wrong setting: PORT must be a whole number.\n",
    err: "",
  });
  const settings = { ...nothing, DATABASE_URL: "postgres://desk:hunter2@127.0.0.1:1/x", SECRET_KEY: "x".repeat(32) };
  const away = await runHere(["doctor"], settings);
  expect(away.code).toBe(1);
  expect(away.out).toMatch(
    /^failed {3}database: cannot be used \(.*ECONNREFUSED.*\): check DATABASE_URL and its server$/m,
  );
  expect(away.out).not.toContain("hunter2");
  for (const line of away.out.trimEnd().split("\n")) expect(line).toMatch(/^(ok|warning|failed) +\S.*: \S/);
}, 60_000);

test("doctor creates nothing in an empty DATA_DIR", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-doctor-"));
  const ended = await runHere(["doctor", "--json"], { ...nothing, DATA_DIR: folder });
  expect(ended.code).toBe(0);
  expect(read(ended).levels).toMatchObject({ database: "ok", "database user": "ok", disk: "ok", port: "ok" });
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
}, 60_000);

test("doctor exits with 1 where the first start would fail: a taken port, a file for a folder", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const settings = { ...nothing, PORT: String(port), DATA_DIR: "/dev/null/data" };
  const ended = await runHere(["doctor", "--json"], settings);
  expect(ended.code).toBe(1);
  expect(read(ended).levels).toMatchObject({ "database folder": "failed", disk: "failed", port: "failed" });
}, 60_000);
