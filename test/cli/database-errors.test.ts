import { createServer } from "node:net";
import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";
import { runHere } from "./run-here.ts";

vi.setConfig({ testTimeout: 60_000 });

let app: App;
let database: string;
/** Roles belong to the whole server, so their names contain the name of this file's database. */
const roleOf = (what: string) => `${database}_${what}`;

beforeAll(async () => {
  app = await openTestApp();
  const own = await row(
    sql<{ database: string; owner: string }>`select current_database() as database, current_user as owner`,
    app.db,
  );
  database = own!.database;
  const role = (what: string, options: string) =>
    sql.raw(`create role ${roleOf(what)} login password 'p' ${options}`).execute(app.db);
  await role("stranger", "");
  await role("full", `connection limit 0 in role ${own!.owner}`);
  await role("operator", `in role ${own!.owner}`);
  afterFile(() =>
    holdOpen(app, async (tx) => {
      // The connection may have been opened while the database was read-only. It is then still read-only.
      await sql`set transaction read write`.execute(tx);
      for (const what of ["stranger", "full", "operator"]) await sql.raw(`drop role ${roleOf(what)}`).execute(tx);
    }),
  );
});

/** Returns the settings of a process that uses the database of `app` with another role or other parameters. */
function settingsWith({ role, ...parameters }: Record<string, string>): Record<string, string> {
  const url = new URL(urlOf(app.connection));
  if (role !== undefined) [url.username, url.password] = [roleOf(role), "p"];
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { ...settingsOf(app), DATABASE_URL: url.href };
}

describe("a command whose database refuses it exits with 1 and one line that says what to do:", () => {
  test.each([
    ["no free connection", { role: "full" }, /too many connections.*\. No connection is free: end some, raise/],
    ["missing rights", { role: "stranger" }, /permission denied.*\. The role lacks a right: it must own the tables,/],
    ["a wrong password", { role: "stranger", password: "wrong" }, /\. The database refuses the login: check user/],
  ] as [string, Record<string, string>, RegExp][])("%s", async (_, parameters, says) => {
    const { code, out, err } = await runHere(["runs", "list"], settingsWith(parameters));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^The database cannot be used \([^\n]*\n$/);
    expect(err).toMatch(says);
  });

  test("a server without TLS", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.write("N")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const settings = { ...settingsOf(app), DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/d?sslmode=verify-full` };
    const { code, err } = await runHere(["runs", "list"], settings);
    server.close();
    expect(code).toBe(1);
    expect(err).toBe(
      "The database cannot be used (The server does not support SSL connections). " +
        "Check user, password, sslmode and sslrootcert in DATABASE_URL.\n",
    );
  });

  test("a lock that another session holds, and a database that takes no writes", async () => {
    await holdOpen(app, async (tx) => {
      await sql`lock table runs in access exclusive mode`.execute(tx);
      const { code, err } = await runHere(["runs", "list"], settingsOf(app));
      expect(code).toBe(1);
      expect(err).toMatch(/^The database cannot be used \(.*\)\. The database was too busy .*: try again\.\n$/);
    });
    const provision = ["provision", "--tenant", "N", "--owner", "o@n.example", "--site", "S", "--site-url"];
    const readOnly = settingsWith({ options: "-c default_transaction_read_only=on" });
    const { code, err } = await runHere([...provision, "https://n.example"], readOnly);
    expect(code).toBe(1);
    expect(err).toMatch(/^The database cannot be used \(.*read-only.*\)\. The database takes no writes: .*\n$/);
  });
});

test("an operator's role has a connection where the service's role has none left", async () => {
  await expect(runHere(["runs", "list"], settingsWith({ role: "full" }))).resolves.toMatchObject({ code: 1 });
  const printed = await runHere(["runs", "list"], settingsWith({ role: "operator" }));
  expect(printed).toEqual({ code: 0, out: "", err: "Nothing is being sent.\n" });
});

test("a service on a read-only database runs, and is ready when the database takes writes", async () => {
  await sql.raw(`alter database ${database} set default_transaction_read_only = on`).execute(app.db);
  const api = spawnProcess(["start"], { ...settingsOf(app), PORT: "0" });
  const [, url] = await api.printed(/listens on (http:[^"]+)/);
  await api.printed(/this process does not deliver: the database cannot be used \(.*read-only/);
  const ready = await fetch(`${url}/readyz`);
  expect({ status: ready.status, after: ready.headers.get("retry-after") }).toEqual({ status: 503, after: "1" });
  await holdOpen(app, async (tx) => {
    await sql`set transaction read write`.execute(tx);
    await sql.raw(`alter database ${database} reset default_transaction_read_only`).execute(tx);
  });
  // A failover also ends all sessions.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'pressbell'`.execute(app.db);
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, 45_000, "not ready");
  await api.printed(/delivering with/);
  api.process.kill("SIGTERM");
  expect(await api.ended).toBe(0);
});
