/**
 * The import rules: which folder may import which. This is the only table of them. `npm run format` writes them into
 * biome.json, so that lint refuses other imports.
 */

const ground = ["db", "egress"];
const services = [...ground, "audit", "mail", "rate-limits"];
const people = [...services, "tenants", "access", "subscribers"];
const sending = [...people, "runs", "decision", "campaigns", "sends"];
const above = [...sending, "follow-ups", "automations"];
const seen = [...above, "forecast", "receipts", "holdouts", "dashboard-api"];

export type FolderRule = { mayImport: string[]; because: string };

/**
 * The folders of src, the lower ones first. A folder may import itself, the folders that `mayImport` names, and the
 * files at the root of src, except those of `programs`. The same applies to its subfolders.
 */
export const folderRules: Record<string, FolderRule> = {
  db: {
    mayImport: [],
    because:
      "db/ knows pools, transactions and migrations. It names no domain folder, so a change of a domain does not reach it.",
  },
  egress: {
    mayImport: [],
    because:
      "egress/ knows what may be reached, and how. It knows nothing of tenants, campaigns or runs, so its guard can be reviewed alone.",
  },
  audit: {
    mayImport: ground,
    because: "audit/ records who did what. Every folder above calls it, so it knows none of them.",
  },
  mail: {
    mayImport: ground,
    because: "mail/ sends e-mails that other folders write: it knows none of them.",
  },
  "rate-limits": {
    mayImport: ground,
    because: "rate-limits/ counts requests: what a request is for is not its concern.",
  },
  reading: {
    mayImport: [],
    because: "reading/ reads what strangers write: texts, dates and data, whatever they are of.",
  },
  tenants: {
    mayImport: services,
    because: "tenants/ is the first domain folder: tenant, site, plan and pause know none of their callers.",
  },
  access: {
    mayImport: [...services, "tenants"],
    because: "access/ says who is calling, never what for: it knows tenants/ and nothing beside or above it.",
  },
  subscribers: {
    mayImport: [...services, "tenants"],
    because: "subscribers/ keeps who can be reached: it knows tenants/, and neither runs nor campaigns.",
  },
  runs: {
    mayImport: people,
    because: "runs/ is the ledger: it knows neither campaigns nor delivery, so both can change without it.",
  },
  readers: {
    mayImport: [...people, "runs"],
    because: "readers/ shows readers what is known of them, and takes what they choose: nothing that sends knows it.",
  },
  delivery: {
    mayImport: [...people, "runs"],
    because:
      "delivery/ takes a batch and returns outcomes: it does not know which campaign or decision the batch came from.",
  },
  receipts: {
    mayImport: [...people, "runs"],
    because: "receipts/ counts what readers do with a run: it knows runs/, and neither campaigns nor delivery.",
  },
  forecast: {
    mayImport: [...people, "runs"],
    because:
      "forecast/ learns from runs and their counts what to expect of a notification: it checks no story, and starts nothing.",
  },
  holdouts: {
    mayImport: [...people, "runs", "receipts"],
    because: "holdouts/ compares readers whom a class leaves out with the others: runs/ decides who is left out.",
  },
  decision: {
    mayImport: [...people, "reading", "runs", "forecast", "holdouts"],
    because: "decision/ checks a story: the caller decides what follows, so it knows no campaigns, feeds or delivery.",
  },
  campaigns: {
    mayImport: [...people, "reading", "runs", "decision"],
    because: "campaigns/ says what to say, and to whom: it does not know when that is sent, nor who decides it.",
  },
  sends: {
    mayImport: [...people, "runs", "decision", "campaigns"],
    because:
      "sends/ decides when a campaign is sent, and starts its run. It is never told of the run's end, so it does not know delivery.",
  },
  "follow-ups": {
    mayImport: sending,
    because: "follow-ups/ changes what was sent: it passes the gates of sends/, and knows no feed or automation.",
  },
  automations: {
    mayImport: sending,
    because: "automations/ sends without an editor: it passes the gates of sends/, and knows no feed or page.",
  },
  feeds: {
    mayImport: [...sending, "reading"],
    because:
      "feeds/ calls the same createCampaign and sendCampaign as every other caller: it does not know delivery or receipts.",
  },
  "recurring-sends": {
    mayImport: [...sending, "feeds"],
    because:
      "recurring-sends/ takes the newest story of feeds/ at its time, and sends it as a feed does: nothing that sends knows it.",
  },
  "dashboard-api": {
    mayImport: [...above, "forecast", "receipts", "holdouts"],
    because: "dashboard-api/ composes what a page shows: it decides nothing, and does not know delivery.",
  },
  "campaign-groups": {
    mayImport: [...sending, "dashboard-api"],
    because:
      "campaign-groups/ does with several campaigns what the folders below do with one: none of them knows of groups.",
  },
  doctor: {
    mayImport: [...people, "delivery"],
    because: "doctor/ checks what a service needs, and changes nothing: it knows neither its callers nor what is sent.",
  },
  backup: {
    mayImport: [...above, "feeds", "recurring-sends"],
    because: "backup/ knows all tables, and what of them sends: it knows neither the command line nor HTTP.",
  },
  erasure: {
    mayImport: ["db", "audit", "runs", "backup"],
    because: "erasure/ knows tables, not what they are of: operations live in their own folders.",
  },
  http: {
    mayImport: [
      ...above,
      "readers",
      "delivery",
      "feeds",
      "recurring-sends",
      "receipts",
      "holdouts",
      "dashboard-api",
      "campaign-groups",
    ],
    because: "http/ maps requests to operations: it does not know the command line, nor test/ or demo/.",
  },
  cli: {
    mayImport: [...seen, "delivery", "feeds", "recurring-sends", "doctor", "backup", "erasure", "http"],
    because: "cli/ runs operations and servers: run-words.ts runs its commands, never the other way.",
  },
};

/** The files at the root of src that put the folders together. They import all folders, and no folder imports them. */
export const programs = ["main.ts", "open-app.ts", "run-words.ts"];

export const rootRule: FolderRule = {
  mayImport: ground,
  because: "The files at the root of src/ serve every folder: they know db/ and egress/, and no folder above.",
};

export type PackageRule = {
  /** Packages that only the folders of `except` may import, in the patterns of biome's noRestrictedImports. */
  only: string[];
  except: string[];
  because: string;
};

export const packageRules: PackageRule[] = [
  {
    only: ["fastify", "fastify-*", "@fastify/*"],
    except: ["http"],
    because: "Only http/ knows Fastify: list a Route (route.ts), which every caller can use.",
  },
  {
    only: ["undici", "nodemailer", "node:{http,https,http2,net,tls,dgram,dns}", "node:dns/promises"],
    except: ["db", "egress", "http"],
    because: "Only egress/ opens outbound connections: there every address is checked.",
  },
];

export type ProgramRule = {
  folder: string;
  /** Files that the rule does not apply to, as paths from the folder. */
  except: string[];
  mayImport: string[];
  because: string;
};

/** Programs that run outside of the service. They may import only what `mayImport` names, in biome's patterns. */
export const programRules: ProgramRule[] = [
  {
    folder: "sdk",
    except: [],
    mayImport: ["./*.ts", "../*.ts", "../page/*.ts", "../prompt/*.ts", "../migration/*.ts", "../test-device/*.ts"],
    because: "sdk/ runs in readers' browsers: it depends on no package, and takes nothing from the service.",
  },
  {
    folder: "client",
    except: ["build.ts"],
    mayImport: ["./*.ts"],
    because:
      "client/ is installed by itself, on any runtime: it depends on no package, no module of Node.js, and not on the service.",
  },
  {
    folder: "bridge",
    except: ["build.ts"],
    mayImport: ["./*.ts", "node:*", "node:{fs,timers}/promises", "../client/client.ts"],
    because: "bridge/ runs beside a CMS: it depends on the client and on Node.js, not on the service.",
  },
  {
    folder: "mcp",
    except: ["build.ts"],
    mayImport: [
      "./*.ts",
      "./package.json",
      "node:*",
      "../client/client.ts",
      "zod",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/server/stdio",
    ],
    because: "mcp/ runs beside an agent: it depends on the client, the SDK and Node.js, not on the service.",
  },
];
