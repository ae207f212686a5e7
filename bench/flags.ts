import { parseArgs } from "node:util";
import type { Config } from "../src/config.ts";

/** The senders of the comparison, in the order of the table. */
export const senderNames = ["service", "delivery", "web-push", "composite"] as const;
export type SenderName = (typeof senderNames)[number];

export type Flags = {
  /** The number of subscribers, and of messages per round. The other senders send at most `maxOtherMessages`. */
  n: number;
  rounds: number;
  /** Delay of the push service's answers, ms. */
  rttMs: number;
  origins: number;
  workers: number | undefined;
  /** IN_FLIGHT_MAX of the service, and the same limit for the other senders. */
  inFlight: number | undefined;
  /** ENCRYPTION of the senders `service` and `delivery`. */
  encryption: Config["ENCRYPTION"];
  only: SenderName[];
  /** Measure only the import, count and plan of `n` subscribers. */
  import: boolean;
  /** Only profile the CPU time of one send of the service. */
  profile: boolean;
  /** Only measure the service over distances, push services, threads and runs at once. */
  field: boolean;
  /** Only measure how much room the database takes. */
  storage: boolean;
  /** Only measure a year of sends: the remaining data, dead rows, and the longest statements. */
  year: boolean;
  /** With `year`: the number of sends. A year has 2,000. */
  sends: number;
  /** Only measure each step of an audience of this many readers, from the import to the erasure. */
  scale: number | undefined;
  /** Only measure how the rate grows with the number of workers. */
  growth: boolean;
  /** Only measure the cost of a message that is sent at once, in a headline test, or by local-time delivery. */
  ways: boolean;
  /**
   * With `ways`: measure only sends at once and local-time delivery, with readers spread evenly over this many zones.
   */
  zones: number | undefined;
  /** With `growth`: the percentage of a core that each worker may use. */
  coreShare: number;
  /** Write the tables into docs/performance.md. */
  write: boolean;
  /** Use the simulator even if nginx is installed. For tests, which run on every machine. */
  simulator: boolean;
};

/** Enough messages for a stable figure, and few enough that a round of the slowest sender takes half a minute. */
export const maxOtherMessages = 20_000;

const usage = `npm run bench -- [--n N] [--rounds R] [--rtt MS] [--origins N] [--workers N] [--in-flight N]
                 [--encryption auto|avx512|openssl|node] [--only ${senderNames.join(",")}]
                 [--simulator] [--write]
npm run bench -- --import [--n N]      how quickly an audience is imported, counted and planned
npm run bench -- --profile [--n N]     where the time of a message goes
npm run bench -- --field [--n N]       distances, push services, threads and runs at once
npm run bench -- --ways [--n N] [--zones N]
                                       at once, with a headline test, to a segment, by local-time delivery; with
                                       --zones only at once and at the hour, evenly over so many zones
npm run bench -- --storage [--n N] [--rounds R]
                                       bytes of the database for each reader, recipient and send
npm run bench -- --year [--n N] [--sends S]
                                       S of the 2,000 sends of a year, with receipts and retention: what remains
npm run bench -- --scale N             each step of N readers: import, counts, plans, send, backup, erasure
npm run bench -- --growth [--n N] [--core-share PERCENT]
                                       1, 2, 4 and 8 workers, held to a part of a core each (Linux, as root)`;

/** Parses the flags. Throws an error whose message is meant for the terminal. */
export function readFlags(args: string[]): Flags {
  const { values } = parseArgs({
    args,
    options: {
      n: { type: "string", default: "20000" },
      rounds: { type: "string", default: "5" },
      rtt: { type: "string", default: "0" },
      origins: { type: "string", default: "1" },
      workers: { type: "string" },
      "in-flight": { type: "string" },
      encryption: { type: "string", default: "auto" },
      only: { type: "string", default: senderNames.join(",") },
      import: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      field: { type: "boolean", default: false },
      storage: { type: "boolean", default: false },
      year: { type: "boolean", default: false },
      sends: { type: "string", default: "200" },
      scale: { type: "string" },
      growth: { type: "boolean", default: false },
      ways: { type: "boolean", default: false },
      zones: { type: "string" },
      "core-share": { type: "string", default: "100" },
      write: { type: "boolean", default: false },
      simulator: { type: "boolean", default: false },
    },
  });
  return {
    n: whole("--n", values.n, 1, 1_000_000),
    rounds: whole("--rounds", values.rounds, 1, 100),
    rttMs: whole("--rtt", values.rtt, 0, 5_000),
    origins: whole("--origins", values.origins, 1, 64),
    workers: values.workers === undefined ? undefined : whole("--workers", values.workers, 1, 64),
    inFlight: values["in-flight"] === undefined ? undefined : whole("--in-flight", values["in-flight"], 16, 20_000),
    encryption: encryptionName(values.encryption),
    only: values.only.split(",").map(senderName),
    import: values.import,
    profile: values.profile,
    field: values.field,
    storage: values.storage,
    year: values.year,
    sends: whole("--sends", values.sends, 1, 10_000),
    scale: values.scale === undefined ? undefined : whole("--scale", values.scale, 1, 20_000_000),
    growth: values.growth,
    ways: values.ways,
    zones: values.zones === undefined ? undefined : whole("--zones", values.zones, 1, 24),
    coreShare: whole("--core-share", values["core-share"], 1, 100),
    write: values.write,
    simulator: values.simulator,
  };
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} is a whole number from ${least} to ${most}, not ${text}.\n\n${usage}`);
}

function encryptionName(name: string): Flags["encryption"] {
  if (name === "auto" || name === "avx512" || name === "openssl" || name === "node") return name;
  throw new Error(`--encryption takes auto, avx512, openssl or node, not ${name}.\n\n${usage}`);
}

function senderName(name: string): SenderName {
  const known = senderNames.find((each) => each === name);
  if (known === undefined) throw new Error(`--only takes ${senderNames.join(", ")}, not ${name}.\n\n${usage}`);
  return known;
}
