import { openRuns } from "../runs/queries.ts";
import { stopRun } from "../runs/stop-run.ts";
import { viewRecord } from "../runs/view-run.ts";
import { type Command, print } from "./command.ts";
import { operatorOfRun } from "./operator.ts";

const flag = { type: "boolean" } as const;

export const runsList: Command = {
  words: ["runs", "list"],
  usage: "runs list [--json]\n      what is being sent, and what it waits for",
  options: { json: flag },
  async run(app, values) {
    const records = await openRuns(app.db);
    if (records.length === 0) process.stderr.write("Nothing is being sent.\n");
    for (const record of records) {
      const { runId, status, heldBy, audience, pending, accepted, reasons } = await viewRecord(app.db, record);
      const of = { tenant: record.tenantName, site: record.siteName };
      const line = { runId, ...of, status, heldBy, audience, pending, accepted };
      if (values.json === true) {
        process.stdout.write(`${JSON.stringify({ ...line, reasons })}\n`);
        continue;
      }
      const fields = Object.entries(line).map(([name, value]) => `${name}=${value}`);
      const reasonLines = reasons.map(({ lane, count, message }) => `\n  ${lane}, ${count}: ${message}`);
      process.stdout.write(`${fields.join(" ")}${reasonLines.join("")}\n`);
    }
  },
};

export const runsStop: Command = {
  words: ["runs", "stop"],
  usage: "runs stop ID [--json]\n      stops a run: within a second no worker starts another POST for it",
  options: { json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const { actor, runId } = await operatorOfRun(app, typed);
    const { reasons: _, receiptsByHour: __, ...run } = await stopRun(app, actor, { runId });
    print(values, run);
  },
};
