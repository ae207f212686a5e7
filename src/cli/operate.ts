import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { openRuns, sumBatches, tenantOfRun } from "../runs/queries.ts";
import { viewRun } from "../runs/run.ts";
import { stopRun } from "../runs/stop-run.ts";
import { addTopic } from "../tenants/add-topic.ts";
import { changeSite } from "../tenants/change-site.ts";
import { changeTenant } from "../tenants/change-tenant.ts";
import { createSite } from "../tenants/create-site.ts";
import { tenantById } from "../tenants/queries.ts";
import { type Command, forOption, print, readSwitch, UsageError } from "./command.ts";

/** An id that was typed. Throws `not_found` for what cannot be one. */
function idOf(value: string | boolean | undefined, what: string): string {
  if (typeof value !== "string" || !isId(value))
    throw appError("not_found", { message: `There is no ${what} ${value}.` });
  return value.toLowerCase();
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const tenantSet: Command = {
  words: ["tenant", "set"],
  usage: "tenant set --tenant ID [--plan P] [--pause on|off] [--dpa on|off] [--json]",
  options: { tenant: text, plan: text, pause: text, dpa: text, json: flag },
  required: ["tenant"],
  async run(app, values) {
    const tenant = await changeTenant(app, {
      tenantId: idOf(values.tenant, "tenant"),
      plan: values.plan as string | undefined,
      paused: readSwitch(values, "pause"),
      dpaAccepted: readSwitch(values, "dpa"),
    });
    print(values, {
      tenantId: tenant.id,
      plan: tenant.plan,
      paused: tenant.pausedAt !== null,
      dpaAccepted: tenant.dpaAcceptedAt !== null,
    });
  },
};

export const siteAdd: Command = {
  words: ["site", "add"],
  usage: "site add --tenant ID --name N --url URL [--json]",
  options: { tenant: text, name: text, url: text, json: flag },
  required: ["tenant", "name", "url"],
  async run(app, values) {
    const tenantId = idOf(values.tenant, "tenant");
    if ((await tenantById(app.db, tenantId)) === undefined)
      throw appError("not_found", { message: `There is no tenant ${tenantId}.` });
    const input = { tenantId, name: String(values.name), url: String(values.url) };
    print(values, await forOption("--name or --url", () => createSite(app, app.db, input)));
  },
};

/** A number, or null for "off". What is no number becomes NaN, which `changeSite` refuses by name. */
function numberOrOff(value: string | boolean | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  return value === "off" ? null : Number(value);
}

/** `22:00-07:00`, or null for "off". */
function quietHoursOf(value: string | boolean | undefined): { from: string; until: string } | null | undefined {
  if (value === undefined) return undefined;
  const [from = "", until = ""] = String(value).split("-");
  return value === "off" ? null : { from, until };
}

export const siteSet: Command = {
  words: ["site", "set"],
  usage:
    "site set --site ID [--pause on|off] [--freshness-hours N] [--daily-cap N|off] [--min-gap-minutes N|off]\n" +
    "      [--quiet-hours 22:00-07:00|off] [--time-zone Europe/Berlin] [--json]",
  options: {
    ...{ site: text, pause: text, "freshness-hours": text, "daily-cap": text, "min-gap-minutes": text },
    ...{ "quiet-hours": text, "time-zone": text, json: flag },
  },
  required: ["site"],
  async run(app, values) {
    const hours = values["freshness-hours"];
    const change = {
      paused: readSwitch(values, "pause"),
      freshnessHours: hours === undefined ? undefined : Number(hours),
      dailyCap: numberOrOff(values["daily-cap"]),
      minGapMinutes: numberOrOff(values["min-gap-minutes"]),
      quietHours: quietHoursOf(values["quiet-hours"]),
      timeZone: values["time-zone"] as string | undefined,
    };
    if (Object.values(change).every((value) => value === undefined)) throw new UsageError("say what to set");
    const site = await changeSite(app, { siteId: idOf(values.site, "site"), ...change });
    const { freshnessHours, dailyCap, minGapMinutes, quietHours, timeZone } = site;
    const quiet = quietHours === null ? null : `${quietHours.from}-${quietHours.until}`;
    const paused = site.pausedAt !== null;
    print(values, { siteId: site.id, paused, freshnessHours, dailyCap, minGapMinutes, quietHours: quiet, timeZone });
  },
};

export const topicsAdd: Command = {
  words: ["topics", "add"],
  usage: "topics add --site ID --name N [--json]",
  options: { site: text, name: text, json: flag },
  required: ["site", "name"],
  async run(app, values) {
    const input = { siteId: idOf(values.site, "site"), name: String(values.name) };
    print(values, await forOption("--name", () => addTopic(app, input)));
  },
};

export const runsList: Command = {
  words: ["runs", "list"],
  usage: "runs list [--json]\n      what is being sent",
  options: { json: flag },
  async run(app, values) {
    for (const record of await openRuns(app.db)) {
      const run = viewRun(record, await sumBatches(app.db, { siteId: record.siteId, runId: record.id }), []);
      const { runId, status, heldBy, audience, pending, accepted } = run;
      const line = {
        runId,
        tenant: record.tenantName,
        site: record.siteName,
        status,
        heldBy,
        audience,
        pending,
        accepted,
      };
      const words = Object.entries(line).map(([name, value]) => `${name}=${value}`);
      process.stdout.write(`${values.json === true ? JSON.stringify(line) : words.join(" ")}\n`);
    }
  },
};

export const runsStop: Command = {
  words: ["runs", "stop"],
  usage: "runs stop ID [--json]\n      nobody starts another POST a second later",
  options: { json: flag },
  operands: 1,
  async run(app, values, [typed]) {
    const runId = idOf(typed, "run");
    const tenantId = await tenantOfRun(app.db, runId);
    if (tenantId === undefined) throw appError("not_found", { message: `There is no run ${runId}.` });
    const { reasons: _, ...run } = await stopRun(app, { kind: "operator", tenantId }, { runId });
    print(values, run);
  },
};
