import { inTenant } from "../db/pool.ts";
import { openRuns } from "../runs/queries.ts";
import { stopRun } from "../runs/stop-run.ts";
import { viewRecord } from "../runs/view-run.ts";
import type { SiteChange } from "../tenants/sites/site.ts";
import { changeSite, createSite, removeSite } from "../tenants/sites/sites.ts";
import { changeTenant } from "../tenants/tenants.ts";
import { addTopic } from "../tenants/topics/topics.ts";
import { type Command, forOption, print, readSwitch, UsageError } from "./command.ts";
import { operatorOfRun, operatorOfSite, operatorOfTenant } from "./operator.ts";
import {
  numberOrOff,
  readerFields,
  readerOptions,
  readerSummary,
  readerUsage,
  readReaderOptions,
} from "./site-reader-options.ts";
import { readVapidText } from "./vapid.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const tenantSet: Command = {
  words: ["tenant", "set"],
  usage:
    "tenant set --tenant ID [--name N] [--plan P] [--pause on|off] [--dpa on|off]\n      [--confirm-above N|off] [--json]",
  options: { tenant: text, name: text, plan: text, pause: text, dpa: text, "confirm-above": text, json: flag },
  required: ["tenant"],
  async run(app, values) {
    const change = {
      name: values.name as string | undefined,
      plan: values.plan as string | undefined,
      paused: readSwitch(values, "pause"),
      dpaAccepted: readSwitch(values, "dpa"),
      confirmAbove: numberOrOff(values["confirm-above"]),
    };
    const { actor } = await operatorOfTenant(app, values.tenant);
    const tenant = await forOption({ name: "name", plan: "plan", confirmAbove: "confirm-above" }, () =>
      changeTenant(app, actor, change),
    );
    print(values, {
      tenantId: tenant.id,
      name: tenant.name,
      plan: tenant.plan,
      paused: tenant.pausedAt !== null,
      dpaAccepted: tenant.dpaAcceptedAt !== null,
      confirmAbove: tenant.confirmAbove,
    });
  },
};

export const siteAdd: Command = {
  words: ["site", "add"],
  usage:
    "site add --tenant ID --name N --url URL [--vapid-file FILE] [--json]\n" +
    "      with a key pair of its own, or with the one that its readers have subscribed to elsewhere",
  options: { tenant: text, name: text, url: text, "vapid-file": text, json: flag },
  required: ["tenant", "name", "url"],
  async run(app, values) {
    const { actor } = await operatorOfTenant(app, values.tenant);
    const file = values["vapid-file"];
    const vapidPair = file === undefined ? undefined : await readVapidText(String(file));
    const input = { name: String(values.name), url: String(values.url), vapidPair };
    const make = () => inTenant(app.db, actor.tenantId, (tx) => createSite(app, actor, tx, input));
    print(values, await forOption({ name: "name", url: "url", vapidPair: "vapid-file" }, make));
  },
};

/** `22:00-07:00`, or null for "off". */
function quietHoursOf(value: string | boolean | undefined): { from: string; until: string } | null | undefined {
  if (value === undefined) return undefined;
  const [from = "", until = ""] = String(value).split("-");
  return value === "off" ? null : { from, until };
}

const siteSetOptions = {
  name: "name",
  freshnessHours: "freshness-hours",
  dailyCap: "daily-cap",
  minGapMinutes: "min-gap-minutes",
  quietHours: { option: "quiet-hours", typed: "such as 22:00-07:00, or off" },
  timeZone: "time-zone",
  onUncertain: "on-uncertain",
  ...readerFields,
};

export const siteSet: Command = {
  words: ["site", "set"],
  usage:
    "site set --site ID [--name N] [--pause on|off] [--freshness-hours N] [--daily-cap N|off] [--min-gap-minutes N|off]\n" +
    "      [--quiet-hours 22:00-07:00|off] [--time-zone Europe/Berlin] [--on-uncertain resend|skip] [--json]\n" +
    readerUsage,
  options: {
    ...{ site: text, name: text, pause: text, "freshness-hours": text, "daily-cap": text, "min-gap-minutes": text },
    ...{ "quiet-hours": text, "time-zone": text, "on-uncertain": text, json: flag },
    ...readerOptions,
  },
  required: ["site"],
  async run(app, values) {
    const hours = values["freshness-hours"];
    const change = {
      name: values.name as string | undefined,
      paused: readSwitch(values, "pause"),
      freshnessHours: hours === undefined ? undefined : Number(hours),
      dailyCap: numberOrOff(values["daily-cap"]),
      minGapMinutes: numberOrOff(values["min-gap-minutes"]),
      quietHours: quietHoursOf(values["quiet-hours"]),
      timeZone: values["time-zone"] as string | undefined,
      onUncertain: values["on-uncertain"] as SiteChange["onUncertain"],
      ...readReaderOptions(values),
    };
    if (Object.values(change).every((value) => value === undefined)) throw new UsageError("say what to set");
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const site = await forOption(siteSetOptions, () => changeSite(app, actor, { siteId, ...change }));
    const { freshnessHours, dailyCap, minGapMinutes, quietHours, timeZone, onUncertain } = site;
    const quiet = quietHours === null ? null : `${quietHours.from}-${quietHours.until}`;
    const paused = site.pausedAt !== null;
    const limits = { freshnessHours, dailyCap, minGapMinutes, quietHours: quiet };
    print(values, {
      siteId: site.id,
      name: site.name,
      paused,
      ...limits,
      timeZone,
      onUncertain,
      ...readerSummary(site),
    });
  },
};

export const siteRemove: Command = {
  words: ["site", "remove"],
  usage: "site remove --site ID --yes\n      stops what is being sent for it and deletes its readers, for good",
  options: { site: text, yes: flag },
  required: ["site"],
  async run(app, values) {
    if (values.yes !== true) throw new UsageError("this deletes the site's readers for good: say --yes");
    const { actor, siteId } = await operatorOfSite(app, values.site);
    await removeSite(app, actor, { siteId });
    print(values, { siteId, removed: true });
  },
};

export const topicsAdd: Command = {
  words: ["topics", "add"],
  usage: "topics add --site ID --name N [--json]",
  options: { site: text, name: text, json: flag },
  required: ["site", "name"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const input = { siteId, name: String(values.name) };
    print(values, await forOption({ name: "name" }, () => addTopic(app, actor, input)));
  },
};

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
      const words = Object.entries(line).map(([name, value]) => `${name}=${value}`);
      const whys = reasons.map(({ lane, count, message }) => `\n  ${lane}, ${count}: ${message}`);
      process.stdout.write(`${words.join(" ")}${whys.join("")}\n`);
    }
  },
};

export const runsStop: Command = {
  words: ["runs", "stop"],
  usage: "runs stop ID [--json]\n      nobody starts another POST a second later",
  options: { json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const { actor, runId } = await operatorOfRun(app, typed);
    const { reasons: _, receiptsByHour: __, ...run } = await stopRun(app, actor, { runId });
    print(values, run);
  },
};
