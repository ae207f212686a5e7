import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { App } from "../app.ts";

/** GET /healthz: the process runs. GET /readyz: it can do its work, that is, the database answers. HEAD does too. */
export function healthRoutes(server: FastifyInstance, app: App): void {
  server.get("/healthz", { exposeHeadRoute: true }, async () => ({ status: "ok" }));
  server.get("/readyz", { exposeHeadRoute: true }, async () => {
    await sql`select 1`.execute(app.db);
    return { status: "ready" };
  });
}
