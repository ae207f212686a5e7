import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import type { App } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import { createPageFetcher } from "../../src/egress/fetch-page.ts";
import { createServer, type ServerOptions } from "../../src/http/server.ts";
import { createLogger } from "../../src/log.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { afterFile } from "./cleanup.ts";
import { dropDatabase, inDatabase, recreateDatabase, urlOf } from "./postgres.ts";

export const testSecretKey = "a secret key for tests, long enough to be one";

/** Settings for a process of the service that works on the same database as `app`. */
export function settingsOf(app: App): Record<string, string> {
  return { DATABASE_URL: urlOf(app.connection), SECRET_KEY: testSecretKey };
}

/**
 * The app of one test file on a real database of its own, a clone of the migrated template. It is closed, and its
 * database dropped, after the file's last test. `settings`: environment variables over the defaults.
 */
export async function openTestApp(settings: Record<string, string> = {}): Promise<App> {
  const server = inject("postgres");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await recreateDatabase(server, name, "template");
  const connection = inDatabase(server, name);
  const config = readConfig({
    DATABASE_URL: urlOf(connection),
    SECRET_KEY: testSecretKey,
    LOG_LEVEL: "silent",
    ...settings,
  });
  const log = createLogger(config.LOG_LEVEL);
  const db = openDatabase({ connection, poolMax: 10, applicationName: "test", log });
  const pages = createPageFetcher({ allowHosts: config.ALLOW_HOSTS });
  afterFile(async () => {
    await pages.close();
    await db.destroy();
    await dropDatabase(server, name);
  });
  return { config, db, connection, log, secrets: createSecretBox(testSecretKey), pages, now: Date.now };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
export type Answer = { status: number; headers: Headers; body: any };

export type Api = {
  url: string;
  /** Calls the API over real HTTP. `body` is sent as JSON; a string or bytes go as they are. */
  call(
    method: string,
    path: string,
    options?: { key?: string | undefined; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
};

/** Serves `app` on a free port until the file's last test has ended. */
export async function serve(app: App, options: ServerOptions = {}): Promise<Api> {
  const server = createServer(app, options);
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  afterFile(() => server.close());
  return createApi(url);
}

/** A client of the API at `url`. */
export function createApi(url: string): Api {
  return {
    url,
    async call(method, path, { key, body, headers = {} } = {}) {
      const raw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
      const answer = await fetch(url + path, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: raw ? (body as string | undefined) : JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
    },
  };
}
