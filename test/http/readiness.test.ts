import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { createServer } from "../../src/http/server.ts";
import { createApi, openTestApp } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";

test("all who ask for /readyz at once share one look at the database", async () => {
  const app = await openTestApp();
  let looks = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      looks++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const server = createServer({ ...app, db: app.db.withPlugin(plugin) });
  afterFile(() => server.close());
  let requests = 0;
  server.server.on("request", () => requests++);
  const api = createApi(await server.listen({ port: 0, host: "127.0.0.1" }));
  // A look waits while all connections are in use.
  const release = Promise.withResolvers<void>();
  const taken = Array.from({ length: 10 }, () => app.db.connection().execute(() => release.promise));
  const answers = Array.from({ length: 20 }, () => api.call("GET", "/readyz"));
  await eventually(async () => requests === 20);
  release.resolve();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(looks).toBe(1);
  await Promise.all(taken);
  expect((await api.call("GET", "/readyz")).status).toBe(200);
  expect(looks).toBe(2);
});
