import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { median } from "../measure.ts";
import { cpuMsOf } from "../processes.ts";
import { createSite, type Site } from "./audience.ts";
import { endRuns, planAndOpen } from "./plan-and-open.ts";
import type { Send } from "./sends.ts";

/**
 * The cost of planning in each round, until all batches are done or may be claimed by workers: CPU-seconds of
 * PostgreSQL and of this process. `failedPages`: pages that exceeded their time limit.
 */
export type Cost = { cpuSeconds: number[]; failedPages: number };

/** The median cost of a way to send, and the median ratio to the first way in the same round. */
export type Comparison = { name: string; cpuSeconds: number; ratio: number; failedPages: number };

/**
 * Plans each way to send to `n` readers alternately, `rounds` times after a warm-up. Nothing analyzes the tables, so
 * planning reads rows that were just written.
 */
export async function comparePlanning(
  app: App,
  options: { n: number; rounds: number; sends: Send[]; databasePid: number; onCost: (name: string, s: number) => void },
): Promise<Comparison[]> {
  const { n, rounds, sends, databasePid, onCost } = options;
  const sites = new Map<string, Site>();
  for (const { preferences } of sends)
    if (!sites.has(preferences)) sites.set(preferences, await createSite(app, n, preferences));
  const costs = new Map(sends.map((send): [Send, Cost] => [send, { cpuSeconds: [], failedPages: 0 }]));
  for (let no = 0; no <= rounds; no++) {
    for (const [send, cost] of costs) {
      await send.start(app, sites.get(send.preferences)!);
      await sql`checkpoint`.execute(app.db);
      const before = await cpuMs(databasePid);
      const failedPages = await planAndOpen(app);
      const seconds = ((await cpuMs(databasePid)) - before) / 1_000;
      await endRuns(app);
      onCost(send.name, seconds);
      if (no === 0) continue;
      cost.cpuSeconds.push(seconds);
      cost.failedPages += failedPages;
    }
  }
  const first = costs.get(sends[0]!)!.cpuSeconds;
  return [...costs].map(([{ name }, { cpuSeconds, failedPages }]) => ({
    name,
    cpuSeconds: median(cpuSeconds),
    ratio: median(cpuSeconds.map((seconds, no) => seconds / first[no]!)),
    failedPages,
  }));
}

async function cpuMs(databasePid: number): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (await cpuMsOf(databasePid)) + (user + system) / 1_000;
}
