import { sendersOfRuns } from "../audit/senders.ts";
import { listedRuns } from "../runs/queries.ts";
import { viewRecord } from "../runs/read-run.ts";
import { stopRun } from "../runs/stop-run.ts";
import { type Command, fieldsOf, print, printLine, printText } from "./command.ts";
import { operatorOfRun, operatorOfSite } from "./operator.ts";

const flag = { type: "boolean" } as const;

/** The most ended runs that `--all` shows. */
const endedAtMost = 100;

export const runsList: Command = {
  words: ["runs", "list"],
  summary: "List open runs, who sent them, and what they wait for",
  usage:
    "runs list [--site ID] [--all] [--json]\n" +
    "      what is being sent, who sent it, and what it waits for; --all: also the last 100 that have ended",
  options: { site: { type: "string" }, all: flag, json: flag },
  async run(app, values) {
    const siteId = values.site === undefined ? undefined : (await operatorOfSite(app, values.site)).siteId;
    const records = await listedRuns(app.db, { siteId, ended: values.all === true ? endedAtMost : 0 });
    if (records.length === 0) process.stderr.write(values.all ? "Nothing was sent.\n" : "Nothing is being sent.\n");
    const senders = await sendersOfRuns(
      app.db,
      records.map(({ id }) => id),
    );
    for (const record of records) {
      const { runId, status, heldBy, audience, pending, accepted, reasons } = await viewRecord(app.db, record);
      const of = { tenant: record.tenantName, site: record.siteName };
      const sent = { by: senders.get(runId) ?? null, at: record.createdAt.toISOString(), title: record.title };
      const line = { runId, ...of, status, heldBy, audience, pending, accepted, ...sent };
      if (values.json === true) {
        printLine(values, { ...line, reasons });
        continue;
      }
      const reasonLines = reasons.map(
        ({ pushService, count, message, said }) =>
          `  ${pushService}, ${count}: ${message}${said === undefined ? "" : ` It says: ${said}.`}`,
      );
      printText(fieldsOf(line), ...reasonLines);
    }
  },
};

export const runsStop: Command = {
  words: ["runs", "stop"],
  summary: "Stop a run within a second",
  usage: "runs stop ID [--json]\n      stops a run: within a second no worker starts another POST for it",
  options: { json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const { actor, runId } = await operatorOfRun(app, typed);
    const { reasons: _, receiptsByHour: __, ...run } = await stopRun(app, actor, { runId });
    print(values, run);
  },
};
