import { routes } from "../route.ts";
import { readRun } from "./read-run.ts";
import { stopRun } from "./stop-run.ts";

export const runRoutes = routes([
  {
    method: "GET",
    path: "/v1/runs/:runId",
    access: "key",
    needsRecentSignIn: false,
    scope: "read",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readRun(app, actor, { runId: params.runId }) };
    },
  },
  {
    method: "POST",
    path: "/v1/runs/:runId/stop",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "none",
    keepsConnection: true,
    async answer(app, { actor, params }) {
      return { status: 200, body: await stopRun(app, actor, { runId: params.runId }) };
    },
  },
]);
