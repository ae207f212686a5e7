import { execFile } from "node:child_process";
import { once } from "node:events";
import { expect, inject, test } from "vitest";
import { createClient } from "../src/db/pool.ts";
import { afterFile } from "./fixtures/cleanup.ts";
import { dropDatabase, inDatabase, recreateDatabase } from "./fixtures/postgres.ts";

const root = new URL("..", import.meta.url).pathname;

type Report = { testResults: { name: string; status: string; message: string }[] };

/** Runs the files of fixtures/leaving in a process of their own. Returns the report of each by its name. */
async function runLeaving(): Promise<Record<string, { status: string; message: string }>> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE } as NodeJS.ProcessEnv;
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json"];
  const out = await new Promise<string>((resolve) => {
    const config = "test/fixtures/leaving/vitest.config.ts";
    const child = execFile(process.execPath, [...args, "--config", config], { cwd: root, env }, (_, text) =>
      resolve(text),
    );
    afterFile(() => child.kill("SIGKILL"));
  });
  const { testResults } = JSON.parse(out) as Report;
  return Object.fromEntries(testResults.map(({ name, ...report }) => [/[\w-]+(?=\.test-file)/.exec(name)![0], report]));
}

test("a file that leaves a process, thread, server or socket fails and names it, and others of its worker pass", async () => {
  const { "leaves-all": leaving, ...others } = await runLeaving();
  expect(leaving!.status).toBe("failed");
  const named = [
    /the process \d+: sleep 1000/,
    /the worker thread \d+/,
    /a server that listens on 127.0.0.1:\d+/,
    /a UDP socket at 127.0.0.1:\d+/,
  ];
  for (const name of named) expect(leaving!.message).toMatch(name);
  expect(Object.entries(others).map(([name, { status }]) => [name, status])).toEqual([
    ["closes-all", "passed"],
    ["closes-all-too", "passed"],
  ]);
}, 180_000);

test("a file that leaves a connection to its database fails and names it", async () => {
  const server = inject("postgres");
  await recreateDatabase(server, "left_open", undefined);
  const client = createClient(inDatabase(server, "left_open"), "forgotten");
  const ended = once(client, "error");
  await client.connect();
  await client.query("select 'its last statement'");
  const named = /leaves connections to its database open:\n.*"forgotten", idle: select 'its last statement'/;
  await expect(dropDatabase(server, "left_open", 0)).rejects.toThrow(named);
  await ended;
});
