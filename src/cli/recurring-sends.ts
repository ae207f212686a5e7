import type { App } from "../app.ts";
import {
  addRecurringSend,
  changeRecurringSend,
  removeRecurringSend,
} from "../recurring-sends/change-recurring-sends.ts";
import { siteOfRecurringSend } from "../recurring-sends/queries.ts";
import { readRecurringSends } from "../recurring-sends/read-recurring-sends.ts";
import type { RecurringSend } from "../recurring-sends/recurring-send.ts";
import { type Command, print, readSwitch, UsageError, type Values, withOptionNames } from "./command.ts";
import { idOf, type Operator, operatorOfSite, unknown } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const settings = { days: text, time: text, feed: text, topic: text };
const settingsUsage = "[--days 1,2,3,4,5] [--time HH:MM] [--feed ID | --topic ID]";
const fields = { days: "days", time: "time", feedId: "feed", topicId: "topic", enabled: "enabled" };

/** Reads the options. A text that is no number becomes NaN, which the operation refuses with the name of the field. */
function settingsOf({ days, time, feed, topic }: Values): Record<string, unknown> {
  const given = { days: days === undefined ? undefined : String(days).split(",").map(Number), time };
  return { ...given, feedId: feed, topicId: topic };
}

function printOne(values: Values, one: RecurringSend): void {
  print(values, values.json === true ? one : { ...one, days: one.days.join(",") });
}

export const recurringSendsAdd: Command = {
  words: ["recurring-sends", "add"],
  summary: "Send the newest story of a feed or topic at a time of the week",
  usage:
    "recurring-sends add --site ID --days 1,2,3,4,5 --time HH:MM (--feed ID | --topic ID) [--json]\n" +
    "      days from 1 (Monday) to 7 (Sunday), and the time, at the site",
  options: { site: text, ...settings, json: flag },
  required: ["site", "days", "time"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const body = settingsOf(values);
    printOne(values, await withOptionNames(fields, () => addRecurringSend(app, actor, { siteId, body })));
  },
};

export const recurringSendsSet: Command = {
  words: ["recurring-sends", "set"],
  summary: "Change a recurring send, or switch it off",
  usage: `recurring-sends set ID [--enabled on|off] ${settingsUsage} [--json]`,
  options: { enabled: text, ...settings, json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const body = { ...settingsOf(values), enabled: readSwitch(values, "enabled") };
    if (Object.values(body).every((value) => value === undefined)) throw new UsageError("say what to set");
    const of = await operatorOfRecurringSend(app, typed);
    printOne(values, await withOptionNames(fields, () => changeRecurringSend(app, of.actor, { ...of, body })));
  },
};

export const recurringSendsList: Command = {
  words: ["recurring-sends", "list"],
  summary: "List the recurring sends of a site",
  usage: "recurring-sends list --site ID [--json]",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const { data } = await readRecurringSends(app, actor, { siteId, query: {} });
    if (data.length === 0) process.stderr.write("This site has no recurring sends.\n");
    for (const [at, one] of data.entries()) {
      if (at > 0 && values.json !== true) process.stdout.write("\n");
      printOne(values, one);
    }
  },
};

export const recurringSendsRemove: Command = {
  words: ["recurring-sends", "remove"],
  summary: "Remove a recurring send",
  usage: "recurring-sends remove ID",
  options: { json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const { actor, siteId, recurringSendId } = await operatorOfRecurringSend(app, typed);
    await removeRecurringSend(app, actor, { siteId, recurringSendId });
    print(values, { recurringSendId, removed: true });
  },
};

async function operatorOfRecurringSend(
  app: App,
  typed: string | undefined,
): Promise<{ actor: Operator; siteId: string; recurringSendId: string }> {
  const recurringSendId = idOf("recurring-send", typed);
  const found = await siteOfRecurringSend(app.db, recurringSendId);
  if (found === undefined) throw unknown("recurring-send", recurringSendId);
  return { actor: { kind: "operator", tenantId: found.tenantId }, siteId: found.siteId, recurringSendId };
}
