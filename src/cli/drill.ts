import { setTimeout as delay } from "node:timers/promises";
import { changeDrill, readDrill, runDrillNow } from "../automations/drill/change-drill.ts";
import { type Drill, type DrillResult, drillSteps } from "../automations/drill/drill.ts";
import { checkDrillOfSite } from "../automations/drill/run-drills.ts";
import { type Command, print, UsageError, type Values, withOptionNames } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const ofSite = { options: { site: text, json: { type: "boolean" } as const }, required: ["site"] };
const optionNames = { canaryId: "canary", everyMinutes: "every" };
const lookEveryMs = 500;

const drillShow: Command = {
  ...ofSite,
  words: ["drill", "show"],
  summary: "Show the fire drill of a site, and the last one",
  usage:
    "drill show --site ID [--json]\n      its canary, the last fire drill, and the test devices that can be the canary",
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    printDrill(values, await readDrill(app, actor, { siteId }));
  },
};

const drillSet: Command = {
  words: ["drill", "set"],
  summary: "Choose the canary of a site's fire drill, and how often it takes place",
  usage:
    "drill set --site ID [--canary DEVICE] [--every MINUTES] [--json]\n" +
    "      sends a fire drill to the test device with this id (drill show), every 15 to 1440 minutes (60)",
  options: { ...ofSite.options, canary: text, every: text },
  required: ["site"],
  async run(app, values) {
    const { canary, every } = values;
    if (canary === undefined && every === undefined) throw new UsageError("say --canary, --every or both");
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const body = {
      ...(canary === undefined ? {} : { canaryId: canary }),
      ...(every === undefined ? {} : { everyMinutes: Number(every) }),
    };
    printDrill(values, await withOptionNames(optionNames, () => changeDrill(app, actor, { siteId, body })));
  },
};

const drillOff: Command = {
  ...ofSite,
  words: ["drill", "off"],
  summary: "Switch off the fire drill of a site",
  usage: "drill off --site ID [--json]\n      the site has no canary any more; the device stays a test device",
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    printDrill(values, await changeDrill(app, actor, { siteId, body: { canaryId: null } }));
  },
};

const drillRun: Command = {
  ...ofSite,
  words: ["drill", "run"],
  summary: "Begin a fire drill now, and wait for its end",
  usage:
    "drill run --site ID [--json]\n      waits until it has passed or failed, at most five minutes; exit code 1 if it failed",
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    let drill = await runDrillNow(app, actor, { siteId });
    while (drill.last !== null && drill.last.endedAt === null) {
      await delay(lookEveryMs);
      // The service may be down. In that case no other process checks the drill.
      await checkDrillOfSite(app, siteId);
      drill = await readDrill(app, actor, { siteId });
    }
    printDrill(values, drill);
    if (drill.failure !== null) process.exitCode = 1;
  },
};

export const drillCommands: Command[] = [drillShow, drillSet, drillOff, drillRun];

function printDrill(values: Values, drill: Drill): void {
  print(values, values.json === true ? drill : linesOf(drill));
}

function linesOf(drill: Drill): Record<string, unknown> {
  const { canaryId, everyMinutes, last, failure, testDevices } = drill;
  return {
    canary: canaryId ?? "none",
    everyMinutes,
    last: last === null ? "none" : lineOf(last),
    result: resultOf(drill),
    ...(failure === null ? {} : { cause: failure.message }),
    testDevices,
  };
}

function resultOf({ last, failure }: Drill): string {
  if (last === null) return "none";
  if (last.endedAt === null) return "running";
  return failure === null ? "passed" : `failed: ${failure.step}`;
}

function lineOf({ startedAt, seconds }: DrillResult): string {
  return [startedAt, ...drillSteps.map((step) => `${step}=${seconds[step] ?? "-"}`)].join(" ");
}
