import type { AloneCommand, Command } from "./command.ts";

type Commands = (Command | AloneCommand)[];

/**
 * The groups of commands by their first word, in the order of the overview. A file is loaded only when one of its
 * commands is named, because loading all of them takes a third of the start of a command.
 */
const groups: { title: string; commands: Record<string, () => Promise<Commands>> }[] = [
  {
    title: "The service",
    commands: {
      start: async () => [(await import("./start.ts")).start],
      api: async () => [(await import("./start.ts")).api],
      worker: async () => [(await import("./start.ts")).worker],
      migrate: async () => [(await import("./migrate.ts")).migrateOnly],
      doctor: async () => [(await import("./doctor.ts")).doctor],
      encryption: async () => [(await import("./encryption.ts")).encryption],
    },
  },
  {
    title: "Publishers and people",
    commands: {
      provision: async () => [(await import("./provision.ts")).provision],
      tenants: async () => [(await import("./listings.ts")).tenantsList],
      tenant: async () => [...(await import("./tenant.ts")).tenantCommands, (await import("./erasure.ts")).tenantErase],
      members: async () => [(await import("./listings.ts")).membersList],
      keys: async () => {
        const { keysList, keysRevoke } = await import("./listings.ts");
        return [keysList, keysRevoke];
      },
      password: async () => [(await import("./password.ts")).passwordLink],
      account: async () => [(await import("./account.ts")).accountDelete],
      "second-factor": async () => [(await import("./second-factor.ts")).secondFactorRemove],
    },
  },
  {
    title: "Sites",
    commands: {
      sites: async () => [(await import("./listings.ts")).sitesList],
      site: async () => {
        const { siteAdd, siteSet, siteRemove, siteRestore, siteSnippet } = await import("./site.ts");
        const { siteExport, siteImport } = await import("./site-move.ts");
        const { siteVapidExport, siteVapidImport } = await import("./vapid.ts");
        const { siteErase } = await import("./erasure.ts");
        const whole = [siteAdd, siteSet, siteRemove, siteRestore, siteErase, siteSnippet];
        return [...whole, siteExport, siteImport, siteVapidExport, siteVapidImport];
      },
      topics: async () => [(await import("./topics.ts")).topicsAdd],
      segments: async () => {
        const { segmentsAdd, segmentsList, segmentsRetire } = await import("./segments.ts");
        return [segmentsAdd, segmentsList, segmentsRetire];
      },
      welcome: async () => (await import("./automations.ts")).welcomeCommands,
      "win-back": async () => (await import("./automations.ts")).winBackCommands,
      drill: async () => (await import("./drill.ts")).drillCommands,
      feeds: async () => {
        const { feedsAdd, feedsSet, feedsList, feedsShow, feedsRemove, feedsTry, feedsDiscover } = await import(
          "./feeds.ts"
        );
        return [feedsAdd, feedsSet, feedsList, feedsShow, feedsRemove, feedsTry, feedsDiscover];
      },
      "recurring-sends": async () => {
        const { recurringSendsAdd, recurringSendsSet, recurringSendsList, recurringSendsRemove } = await import(
          "./recurring-sends.ts"
        );
        return [recurringSendsAdd, recurringSendsSet, recurringSendsList, recurringSendsRemove];
      },
    },
  },
  {
    title: "Readers",
    commands: {
      subscribers: async () => {
        const { subscribersImport, subscribersDelete, subscribersRefused, subscribersUnseen } = await import(
          "./subscribers.ts"
        );
        const { subscribersExport } = await import("./subscribers-export.ts");
        const { subscribersConsent } = await import("./subscribers-consent.ts");
        return [
          ...[subscribersImport, subscribersDelete, subscribersExport, subscribersConsent],
          ...[subscribersRefused, subscribersUnseen],
        ];
      },
      "test-device": async () => [(await import("./subscribers.ts")).testDeviceLink],
    },
  },
  {
    title: "Sends",
    commands: {
      runs: async () => {
        const { runsList, runsStop } = await import("./runs.ts");
        return [runsList, runsStop];
      },
      schedules: async () => [(await import("./quarantine.ts")).schedulesList],
      quarantine: async () => {
        const { quarantineList, quarantineSet, quarantineRelease } = await import("./quarantine.ts");
        return [quarantineList, quarantineSet, quarantineRelease];
      },
      forecast: async () => {
        const { forecastEvaluate, forecastExport } = await import("./forecast.ts");
        return [forecastEvaluate, forecastExport];
      },
    },
  },
  {
    title: "Backup, moves, keys",
    commands: {
      backup: async () => [(await import("./backup.ts")).backup],
      restore: async () => [(await import("./backup.ts")).restore],
      move: async () => [(await import("./move.ts")).move],
      secrets: async () => [(await import("./secrets.ts")).secretsReseal],
    },
  },
  {
    title: "Agents",
    commands: {
      mcp: async () => [(await import("./mcp.ts")).mcp],
    },
  },
];

const commandsOf: Record<string, () => Promise<Commands>> = Object.assign(
  {},
  ...groups.map(({ commands }) => commands),
);

/** Returns the command whose name the words begin with. Returns undefined if there is none. */
export async function findCommand(words: string[]): Promise<Command | AloneCommand | undefined> {
  const commands = Object.hasOwn(commandsOf, words[0] ?? "") ? await commandsOf[words[0]!]!() : [];
  return commands.find(({ words: name }) => name.every((word, i) => words[i] === word));
}

/** Returns all commands in their groups, in the order of the overview. */
export async function loadGroups(): Promise<{ title: string; commands: Commands }[]> {
  const load = async (commands: (typeof groups)[number]["commands"]) =>
    (await Promise.all(Object.values(commands).map((each) => each()))).flat();
  return Promise.all(groups.map(async ({ title, commands }) => ({ title, commands: await load(commands) })));
}

/** Returns all commands, in the order of the overview. */
export async function allCommands(): Promise<Commands> {
  return (await loadGroups()).flatMap(({ commands }) => commands);
}
