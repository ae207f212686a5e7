import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { runCommand } from "../cli/run-command.ts";
import { createTestDatabase, testSecretKey } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { dropDatabase, inDatabase, recreateDatabase, urlOf } from "../fixtures/postgres.ts";

test("a start holds all sites of a database that was copied by other means than a restore, once", async () => {
  const original = await createTestDatabase("template");
  const settings = { DATABASE_URL: urlOf(original), SECRET_KEY: testSecretKey };
  const provision = [
    "provision",
    "--tenant",
    "T",
    "--owner",
    "o@example.org",
    "--site",
    "S",
    "--site-url",
    "https://s.example",
  ];
  expect(await runCommand([...provision, "--json"], settings)).toMatchObject({ code: 0 });
  // Each call stands for a start of the service, which migrates before anything else.
  for (let start = 0; start < 2; start++)
    expect(await runCommand(["migrate"], settings)).toEqual({ code: 0, out: "schema: up to date\n", err: "" });

  const server = inject("postgres");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await recreateDatabase(server, name, new URL(urlOf(original)).pathname.slice(1));
  afterFile(() => dropDatabase(server, name));
  const copy = { ...settings, DATABASE_URL: urlOf(inDatabase(server, name)) };
  const held = await runCommand(["migrate"], copy);
  expect(held).toMatchObject({ code: 0, out: "schema: up to date\n" });
  expect(held.err).toMatch(
    /"quarantinedSites":1.*this database is a copy of another one: no site sends until it is released/,
  );
  const released = await runCommand(["quarantine", "release", "--all"], copy);
  expect(released.out).toMatch(/released=true paused=false\n$/);
  expect(await runCommand(["migrate"], copy)).toMatchObject({ code: 0, err: "" });
  expect(await runCommand(["quarantine", "list"], copy)).toMatchObject({ out: "", err: "No site is quarantined.\n" });
  expect((await runCommand(["quarantine", "set", "--all"], copy)).out).toMatch(/^quarantinedSites: 1\n/);
});
