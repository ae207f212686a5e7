import { quarantineEverything } from "../backup/quarantine.ts";
import { listQuarantinedSites, type QuarantinedSite, releaseSite } from "../backup/quarantined-sites.ts";
import { type ScheduleRecord, scheduledCampaigns } from "../sends/due-queries.ts";
import { type Command, print, printLine, UsageError, type Values } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

function printSite(values: Values, site: QuarantinedSite): void {
  const { siteId, tenantName: tenant, siteName, quarantinedAt, movedAt, feeds, items, runs, schedules } = site;
  printLine(
    values,
    values.json === true
      ? site
      : { siteId, tenant, site: siteName, quarantinedAt, ...(movedAt && { movedAt }), feeds, items },
  );
  if (values.json === true) return;
  for (const run of runs) printLine(values, run, "  run ");
  for (const schedule of schedules) printLine(values, scheduleFacts(schedule), "  schedule ");
}

function scheduleFacts({ campaignId, scheduledAt, title }: ScheduleRecord) {
  return { campaignId, scheduledAt, title };
}

export const quarantineList: Command = {
  words: ["quarantine", "list"],
  summary: "List the sites that send nothing after a restore",
  usage:
    "quarantine list [--json]\n      sites that are quarantined after a restore: their open runs with who got it, schedules, feeds",
  options: { json: flag },
  async run(app, values) {
    const sites = await listQuarantinedSites(app);
    if (sites.length === 0) process.stderr.write("No site is quarantined.\n");
    for (const site of sites) printSite(values, site);
  },
};

export const quarantineSet: Command = {
  words: ["quarantine", "set"],
  summary: "Quarantine all sites, as after a restore",
  usage:
    "quarantine set --all [--json]\n" +
    "      quarantines all sites as after a restore: for a database that was restored by other means, before the service starts",
  options: { all: flag, json: flag },
  async run(app, values) {
    if (values.all !== true) throw new UsageError("this quarantines the sends of all sites: say --all");
    print(values, await app.db.transaction().execute(quarantineEverything));
  },
};

export const quarantineRelease: Command = {
  words: ["quarantine", "release"],
  summary: "Let sites send again",
  usage:
    "quarantine release (--site ID [--not-moved] | --all) [--runs continue|stop] [--json]\n" +
    "      lets sends go on; --runs: what becomes of open runs, which send to the readers that are pending in the database;\n" +
    "      --not-moved: a site that was exported, and imported nowhere",
  options: { site: text, all: flag, "not-moved": flag, runs: text, json: flag },
  async run(app, values) {
    const { site, all, runs } = values;
    if ((site === undefined) === (all !== true)) throw new UsageError("say --site ID or --all");
    if (runs !== undefined && runs !== "continue" && runs !== "stop")
      throw new UsageError("--runs is continue or stop");
    const notMoved = values["not-moved"] === true;
    if (notMoved && all === true) throw new UsageError("--not-moved is for one site");
    const quarantined = all === true ? (await listQuarantinedSites(app)).filter(({ movedAt }) => movedAt === null) : [];
    const ids = all === true ? quarantined.map(({ siteId }) => siteId) : [site];
    if (ids.length === 0) process.stderr.write("No site is quarantined.\n");
    for (const id of ids) {
      const { actor, siteId } = await operatorOfSite(app, id);
      const { paused } = await releaseSite(app, actor, { siteId, runs, notMoved });
      printLine(values, { siteId, released: true, paused });
    }
  },
};

export const schedulesList: Command = {
  words: ["schedules", "list"],
  summary: "List what is scheduled",
  usage:
    "schedules list [--site ID] [--json]\n      what is scheduled, the next one first, and whether a pause delays it",
  options: { site: text, json: flag },
  async run(app, values) {
    const siteId = values.site === undefined ? undefined : (await operatorOfSite(app, values.site)).siteId;
    const schedules = await scheduledCampaigns(app.db, siteId);
    if (schedules.length === 0) process.stderr.write("Nothing is scheduled.\n");
    for (const { tenantName: tenant, siteName: site, delayed, ...schedule } of schedules) {
      const facts = { campaignId: schedule.campaignId, tenant, siteId: schedule.siteId, site };
      printLine(values, { ...facts, scheduledAt: schedule.scheduledAt, delayed, title: schedule.title });
    }
  },
};
