import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { type Connection, clientOptions } from "../../src/db/database.ts";
import { leaseEmbeddedPostgres } from "../../src/db/embedded/lease.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createLogger } from "../../src/log.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A real PostgreSQL for the whole run, with the migrated database `template`. */
    postgres: Connection;
  }
}

/**
 * Before all tests: one PostgreSQL (the embedded one, or TEST_DATABASE_URL) with a migrated template, from which each
 * test file clones a database of its own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "pressbell-tests-"));
  const url = process.env.TEST_DATABASE_URL;
  const lease = url === undefined ? await leaseEmbeddedPostgres(dataDir) : undefined;
  const connection: Connection = lease?.connection ?? { url: url! };
  await recreateDatabase(connection, "template", undefined);
  await migrate(inDatabase(connection, "template"), createLogger("silent"));
  project.provide("postgres", connection);
  return async () => {
    await lease?.release();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The same server, another database. */
export function inDatabase(connection: Connection, database: string): Connection {
  if (!("url" in connection)) return { ...connection, database };
  const url = new URL(connection.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}

/** A `postgres://` URL for it, as DATABASE_URL takes it. */
export function urlOf(connection: Connection): string {
  if ("url" in connection) return connection.url;
  const { host, port, user, database } = connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** Makes a database new, as a copy of `template` where one is given. */
export async function recreateDatabase(
  connection: Connection,
  name: string,
  template: string | undefined,
): Promise<void> {
  await asAdministrator(connection, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  });
}

export async function dropDatabase(connection: Connection, name: string): Promise<void> {
  await asAdministrator(connection, (client) => client.query(`drop database if exists ${name} with (force)`));
}

async function asAdministrator(connection: Connection, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(clientOptions(connection, "tests"));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
