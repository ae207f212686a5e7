import type { Command } from "./command.ts";
import type { Roles } from "./serve.ts";

const roleCommand = (word: string, summary: string, usage: string, roles: Roles): Command => ({
  words: [word],
  summary,
  usage,
  options: {},
  schema: "migrate",
  isService: true,
  async run(app, _values, _operands, context) {
    // Imported on demand, because loading the server and its dependencies would take half of the start of every other
    // command.
    const { serve } = await import("./serve.ts");
    await serve(app, roles, context);
  },
});

export const start = roleCommand(
  "start",
  "Run the service: API, dashboard, scheduler, feeds and delivery",
  "start\n      the service: API, dashboard, scheduler, feeds and delivery in one",
  {
    api: true,
    worker: true,
  },
);
export const api = roleCommand(
  "api",
  "Run the API and the dashboard only",
  "api\n      the API and the dashboard only",
  { api: true, worker: false },
);
export const worker = roleCommand(
  "worker",
  "Run the scheduler, feeds and delivery only",
  "worker\n      scheduler, feeds and delivery only: run as many as you have machines",
  { api: false, worker: true },
);
