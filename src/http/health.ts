import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { App } from "../app.ts";

/** GET /healthz: the process runs. GET /readyz: it can do its work, that is, the database answers. */
export function healthRoutes(server: FastifyInstance, app: App): void {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async () => {
    await sql`select 1`.execute(app.db);
    return { status: "ready" };
  });
}
