import type { AloneCommand, Command } from "./command.ts";

type Commands = (Command | AloneCommand)[];

/**
 * The commands, by their first word, in the order of the usage. Each file is loaded when one of its commands is named:
 * all of them are a third of the start of a command.
 */
const commandsOf: Record<string, () => Promise<Commands>> = {
  start: async () => [(await import("./start.ts")).start],
  api: async () => [(await import("./start.ts")).api],
  worker: async () => [(await import("./start.ts")).worker],
  migrate: async () => [(await import("./migrate.ts")).migrateOnly],
  doctor: async () => [(await import("./doctor.ts")).doctor],
  backup: async () => [(await import("./backup.ts")).backup],
  restore: async () => [(await import("./backup.ts")).restore],
  mcp: async () => [(await import("./mcp.ts")).mcp],
  move: async () => [(await import("./move.ts")).move],
  provision: async () => [(await import("./provision.ts")).provision],
  password: async () => [(await import("./password.ts")).passwordLink],
  "second-factor": async () => [(await import("./second-factor.ts")).secondFactorRemove],
  secrets: async () => [(await import("./secrets.ts")).secretsReseal],
  tenant: async () => [(await import("./tenant.ts")).tenantSet, (await import("./erasure.ts")).tenantErase],
  site: async () => {
    const { siteAdd, siteSet, siteRemove, siteSnippet } = await import("./site.ts");
    const { siteExport, siteImport } = await import("./site-move.ts");
    const { siteVapidExport, siteVapidImport } = await import("./vapid.ts");
    const { siteErase } = await import("./erasure.ts");
    return [
      ...[
        siteAdd,
        siteSet,
        siteRemove,
        siteErase,
        siteSnippet,
        siteExport,
        siteImport,
        siteVapidExport,
        siteVapidImport,
      ],
    ];
  },
  topics: async () => [(await import("./topics.ts")).topicsAdd],
  segments: async () => {
    const { segmentsAdd, segmentsList, segmentsRetire } = await import("./segments.ts");
    return [segmentsAdd, segmentsList, segmentsRetire];
  },
  welcome: async () => {
    const { welcomeShow, welcomeSet, welcomeOff } = await import("./welcome.ts");
    return [welcomeShow, welcomeSet, welcomeOff];
  },
  "test-device": async () => [(await import("./subscribers.ts")).testDeviceLink],
  subscribers: async () => {
    const { subscribersImport, subscribersDelete, subscribersRefused, subscribersUnseen } = await import(
      "./subscribers.ts"
    );
    const { subscribersExport } = await import("./subscribers-export.ts");
    return [subscribersImport, subscribersDelete, subscribersExport, subscribersRefused, subscribersUnseen];
  },
  runs: async () => {
    const { runsList, runsStop } = await import("./runs.ts");
    return [runsList, runsStop];
  },
  forecast: async () => {
    const { forecastEvaluate, forecastExport } = await import("./forecast.ts");
    return [forecastEvaluate, forecastExport];
  },
  schedules: async () => [(await import("./quarantine.ts")).schedulesList],
  quarantine: async () => {
    const { quarantineList, quarantineSet, quarantineRelease } = await import("./quarantine.ts");
    return [quarantineList, quarantineSet, quarantineRelease];
  },
  feeds: async () => {
    const { feedsAdd, feedsSet, feedsList, feedsShow, feedsRemove, feedsTry, feedsDiscover } = await import(
      "./feeds.ts"
    );
    return [feedsAdd, feedsSet, feedsList, feedsShow, feedsRemove, feedsTry, feedsDiscover];
  },
};

/** Returns the command that the words begin with; undefined if there is none. */
export async function findCommand(words: string[]): Promise<Command | AloneCommand | undefined> {
  const commands = Object.hasOwn(commandsOf, words[0] ?? "") ? await commandsOf[words[0]!]!() : [];
  return commands.find(({ words: name }) => name.every((word, i) => words[i] === word));
}

/** Returns all commands, in the order of the usage. */
export async function allCommands(): Promise<Commands> {
  return (await Promise.all(Object.values(commandsOf).map((load) => load()))).flat();
}
