import { endDrills } from "../automations/drill/queries.ts";
import { endWinBacks } from "../automations/win-back/queries.ts";
import { hostHere, publicBase } from "../config.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { blocks } from "../feeds/items/check-item.ts";
import { skipOpenItems } from "../feeds/items/queries.ts";
import { feedMessages } from "../feeds/messages.ts";
import { resetFeeds } from "../feeds/queries.ts";
import { restartRecurringSends } from "../recurring-sends/queries.ts";
import { changeSiteAndSchedules } from "../sends/change-site.ts";
import { clearDueDigests } from "../subscribers/preferences/queries.ts";
import { deleteDueWelcomes } from "../subscribers/welcome-queries.ts";
import { readInstallSnippet } from "../tenants/sites/install-snippet.ts";
import { readerSettingsOf } from "../tenants/sites/reader-settings.ts";
import { restoreDays, tenantOfSite } from "../tenants/sites/removal-queries.ts";
import type { SiteChange } from "../tenants/sites/site.ts";
import { createSite, removeSite, restoreSite } from "../tenants/sites/sites.ts";
import { type Command, print, readSwitch, UsageError, withOptionNames } from "./command.ts";
import { idOf, operatorOfSite, operatorOfTenant, unknown } from "./operator.ts";
import { numberOrOff, readerFields, readerOptions, readerUsage, readReaderOptions } from "./site-reader-options.ts";
import { readVapidText } from "./vapid.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const siteAdd: Command = {
  words: ["site", "add"],
  summary: "Add a site to a tenant",
  usage:
    "site add --tenant ID --name N --url URL [--vapid-file FILE] [--json]\n" +
    "      with a new VAPID key pair, or with the one that its readers subscribed to at another service",
  options: { tenant: text, name: text, url: text, "vapid-file": text, json: flag },
  required: ["tenant", "name", "url"],
  async run(app, values) {
    const { actor } = await operatorOfTenant(app, values.tenant);
    const file = values["vapid-file"];
    const vapidPair = file === undefined ? undefined : await readVapidText(String(file));
    const input = { name: String(values.name), url: String(values.url), vapidPair };
    const create = () => inTenant(app.db, actor.tenantId, (tx) => createSite(app, actor, tx, input));
    print(values, await withOptionNames({ name: "name", url: "url", vapidPair: "vapid-file" }, create));
  },
};

/** Reads quiet hours such as `22:00-07:00`. Returns null for "off". */
function quietHoursOf(value: string | boolean | undefined): { from: string; until: string } | null | undefined {
  if (value === undefined) return undefined;
  const [from = "", until = ""] = String(value).split("-");
  return value === "off" ? null : { from, until };
}

const siteSetOptions = {
  name: "name",
  freshnessHours: "freshness-hours",
  dailyLimit: "daily-limit",
  minGapMinutes: "min-gap-minutes",
  quietHours: { option: "quiet-hours", format: "such as 22:00-07:00, or off" },
  timeZone: "time-zone",
  onUncertain: "on-uncertain",
  screenGoalSeconds: "screen-goal-seconds",
  undatedStories: "undated-stories",
  ...readerFields,
};

export const siteSet: Command = {
  words: ["site", "set"],
  summary: "Change a site: pause, limits, quiet hours, prompt, receipts",
  usage:
    "site set --site ID [--name N] [--pause on|off] [--freshness-hours N] [--daily-limit N|off] [--min-gap-minutes N|off]\n" +
    "      [--quiet-hours 22:00-07:00|off] [--time-zone Europe/Berlin] [--undated-stories send|ask|skip]\n" +
    "      [--on-uncertain resend|skip] [--screen-goal-seconds N|off] [--json]\n" +
    readerUsage,
  options: {
    site: text,
    name: text,
    pause: text,
    "freshness-hours": text,
    "daily-limit": text,
    "min-gap-minutes": text,
    "quiet-hours": text,
    "time-zone": text,
    "on-uncertain": text,
    "undated-stories": text,
    json: flag,
    "screen-goal-seconds": text,
    ...readerOptions,
  },
  required: ["site"],
  async run(app, values) {
    const hours = values["freshness-hours"];
    const change = {
      name: values.name as string | undefined,
      paused: readSwitch(values, "pause"),
      freshnessHours: hours === undefined ? undefined : Number(hours),
      dailyLimit: numberOrOff(values["daily-limit"]),
      minGapMinutes: numberOrOff(values["min-gap-minutes"]),
      quietHours: quietHoursOf(values["quiet-hours"]),
      timeZone: values["time-zone"] as string | undefined,
      onUncertain: values["on-uncertain"] as SiteChange["onUncertain"],
      screenGoalSeconds: numberOrOff(values["screen-goal-seconds"]),
      undatedStories: values["undated-stories"] as SiteChange["undatedStories"],
      ...readReaderOptions(values),
    };
    if (Object.values(change).every((value) => value === undefined)) throw new UsageError("say what to set");
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const site = await withOptionNames(siteSetOptions, () => changeSiteAndSchedules(app, actor, { siteId, ...change }));
    const { freshnessHours, dailyLimit, minGapMinutes, quietHours, timeZone, undatedStories } = site;
    const quiet = quietHours === null ? null : `${quietHours.from}-${quietHours.until}`;
    const paused = site.pausedAt !== null;
    const limits = { freshnessHours, dailyLimit, minGapMinutes, quietHours: quiet };
    print(values, {
      siteId: site.id,
      name: site.name,
      paused,
      ...limits,
      timeZone,
      undatedStories,
      onUncertain: site.onUncertain,
      screenGoalSeconds: site.screenGoalSeconds,
      ...readerSettingsOf(site),
    });
  },
};

export const siteRemove: Command = {
  words: ["site", "remove"],
  summary: "Stop a site's runs, and delete its readers in seven days",
  usage:
    "site remove --site ID --yes [--json]\n" +
    "      stops the site's runs at once, and deletes its readers seven days later; until then: site restore",
  options: { site: text, yes: flag, json: flag },
  required: ["site"],
  async run(app, values) {
    if (values.yes !== true) throw new UsageError("this ends the site's runs and deletes its readers: say --yes");
    const { actor, siteId } = await operatorOfSite(app, values.site);
    await removeSite(app, actor, { siteId });
    print(values, { siteId, removed: true, restorableDays: restoreDays });
  },
};

export const siteRestore: Command = {
  words: ["site", "restore"],
  summary: "Restore a site that was removed within seven days",
  usage: "site restore --site ID [--json]\n      brings a removed site back with its readers; sites list has its id",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const siteId = idOf("site", values.site);
    const tenantId = await tenantOfSite(app.db, siteId);
    if (tenantId === undefined) throw unknown("site", siteId);
    await restoreSite(app, { kind: "operator", tenantId }, { siteId }, (tx) => startAnew(tx, siteId));
    print(values, { siteId, restored: true });
  },
};

/**
 * Ends the pending work of a restored site, because it is too old: items of feeds, digests, steps of the welcome,
 * win-backs and drills.
 */
async function startAnew(tx: Tx, siteId: string): Promise<void> {
  const removed = blocks("site_removed", feedMessages.item_during_removal());
  await skipOpenItems(tx, { siteId }, removed);
  await resetFeeds(tx, { siteId });
  await clearDueDigests(tx, siteId);
  await deleteDueWelcomes(tx, siteId);
  await endWinBacks(tx, siteId);
  await endDrills(tx, siteId);
  await restartRecurringSends(tx, siteId);
}

export const siteSnippet: Command = {
  words: ["site", "snippet"],
  summary: "Print the code that installs Pressbell on a site",
  usage: "site snippet --site ID [--json]\n      the two lines of code that install Pressbell on the site",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const { HOST, PORT, PUBLIC_URL } = app.config;
    if (PUBLIC_URL === undefined) app.log.warn("PUBLIC_URL is not set: these lines work on this machine only");
    const base = publicBase(app.config, `http://${hostHere(HOST)}:${PORT}`);
    const snippet = await readInstallSnippet(app, actor, { siteId, base });
    if (values.json === true) return print(values, snippet);
    process.stdout.write(
      `Into each page of the site:\n\n  ${snippet.page}\n\n` +
        `Into a file at the site's root, ${snippet.workerFile}:\n\n  ${snippet.worker}\n`,
    );
  },
};
