import { parseArgs } from "node:util";

/** The sides of the comparison, in the order of the table. */
export const sideNames = ["service", "delivery", "web-push", "composite"] as const;
export type SideName = (typeof sideNames)[number];

export type Flags = {
  /** Subscribers, and messages of a round; peers send at most `peerMessages` of them. */
  n: number;
  rounds: number;
  /** What the push service waits before it answers, ms. */
  rttMs: number;
  origins: number;
  workers: number | undefined;
  /** IN_FLIGHT_MAX of the service; the peers' as well. */
  inFlight: number | undefined;
  /** ENCRYPTION of the service and of its delivery alone. */
  encryption: "auto" | "node";
  only: SideName[];
  /** Measure import, count and plan of `n` subscribers, and nothing else. */
  import: boolean;
  /** One send of the service under a CPU profiler, and nothing else. */
  profile: boolean;
  /** Write the table into docs/performance.md and README.md. */
  write: boolean;
  /** Also where nginx is installed: for what has to work everywhere. */
  simulator: boolean;
};

/** Enough for a steady figure, few enough that a peer's round takes half a minute. */
export const peerMessages = 20_000;

const usage = `npm run bench -- [--n N] [--rounds R] [--rtt MS] [--origins N] [--workers N] [--in-flight N]
                 [--encryption auto|node] [--only ${sideNames.join(",")}]
                 [--simulator] [--write]
npm run bench -- --import [--n N]      how quickly an audience is imported, counted and planned
npm run bench -- --profile [--n N]     where the time of a message goes`;

/** The flags as typed. Throws an error whose message is for the terminal. */
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
      only: { type: "string", default: sideNames.join(",") },
      import: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
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
    only: values.only.split(",").map(sideName),
    import: values.import,
    profile: values.profile,
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
  if (name === "auto" || name === "node") return name;
  throw new Error(`--encryption takes auto or node, not ${name}.\n\n${usage}`);
}

function sideName(name: string): SideName {
  const known = sideNames.find((each) => each === name);
  if (known === undefined) throw new Error(`--only takes ${sideNames.join(", ")}, not ${name}.\n\n${usage}`);
  return known;
}
