import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { createClient } from "../src/db/pool.ts";
import { afterFile } from "./fixtures/cleanup.ts";
import { dropDatabase, inDatabase, recreateDatabase } from "./fixtures/postgres.ts";

const root = new URL("..", import.meta.url).pathname;

type Report = { testResults: { name: string; status: string; message: string }[] };

/** Runs the files of fixtures/leaving in a process of their own. Returns the report of each file by its name. */
async function runLeaving(): Promise<Record<string, { status: string; message: string }>> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE } as NodeJS.ProcessEnv;
  const folder = await mkdtemp(join(tmpdir(), "pressbell-leaving-"));
  afterFile(() => rm(folder, { recursive: true }));
  const report = join(folder, "report.json");
  const args = [
    "run",
    "--config",
    "test/fixtures/leaving/vitest.config.ts",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
    cwd: root,
    env,
    stdio: "ignore",
  });
  afterFile(() => child.kill("SIGKILL"));
  await once(child, "exit");
  const { testResults } = JSON.parse(await readFile(report, "utf8")) as Report;
  return Object.fromEntries(testResults.map(({ name, ...rest }) => [/[\w-]+(?=\.test-file)/.exec(name)![0], rest]));
}

test("a file that leaves something open fails and names it, and other files of its worker pass", async () => {
  const { "leaves-all": leaving, ...others } = await runLeaving();
  expect(leaving!.status).toBe("failed");
  const named = [
    /the process \d+: sleep 1000/,
    /the worker thread \d+/,
    /a server that listens on 127.0.0.1:\d+/,
    /a UDP socket at 127.0.0.1:\d+/,
  ];
  for (const name of named) expect(leaving!.message).toMatch(name);
  const passed = expect.objectContaining({ status: "passed" });
  expect(others).toEqual({ "closes-all": passed, "closes-all-too": passed });
}, 180_000);

test("a file that leaves a connection to its database fails and names it", async () => {
  const server = inject("postgres");
  await recreateDatabase(server, "left_open", undefined);
  const client = createClient(inDatabase(server, "left_open"), "forgotten");
  // The connection ends when the database is dropped.
  client.on("error", () => {});
  await client.connect();
  await client.query("select 'its last statement'");
  const named = /leaves connections to its database open:\n.*"forgotten", idle: select 'its last statement'/;
  await expect(dropDatabase(server, "left_open", 0)).rejects.toThrow(named);
});
