import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import { expects, oneOfMany, parseInput } from "../input.ts";
import { addOutcomes, createOutcomeTally, readOutcome } from "./click-outcomes.ts";
import { addPromptCounts, createPromptTally } from "./prompt-counts.ts";

/** The counts that a page reports: a visit, its prompt, the browser's question, and the answer to it. */
const countNames = ["visit", "prompted", "asked", "granted", "denied"] as const;
type CountName = (typeof countNames)[number];

/** The number of visits that one report stands for. A page reports one visit in ten, which is enough for a ratio. */
const visitsPerReport = 10;

const writeEveryMs = 1_000;
/** The most sites whose counts are held in memory while the database is away. */
export const maxSites = 10_000;

const countInput = z.strictObject(
  {
    count: oneOfMany([...countNames, "outcome"]),
    // The version of the prompt. Absent if the reader agreed elsewhere, for example with a button.
    prompt: z.unknown().optional(),
    // The name of what followed a click, and the token of its notification.
    outcome: z.unknown().optional(),
    token: z.unknown().optional(),
  },
  expects("a JSON object"),
);

/** The part of a page's count that its prompt version gets. */
const countOfPrompt: Partial<Record<CountName, { shown: number; granted: number }>> = {
  prompted: { shown: 1, granted: 0 },
  granted: { shown: 0, granted: 1 },
};

/** Counts of sites in memory that are waiting to be written to the database. */
export type SiteCounter = {
  /** Records what a page of the site reports. Throws `validation_failed` for a body of another shape. */
  record(siteId: string, body: unknown): void;
  /** Writes all counts. Never throws: on failure they wait for the next write. */
  write(): Promise<void>;
  /** Writes the rest and stops the timer. */
  stop(): Promise<void>;
};

/** Creates the counter of page reports. It writes once a second. */
export function createSiteCounter(app: Pick<App, "db" | "log" | "secrets">): SiteCounter {
  let counts = new Map<string, Record<CountName, number>>();
  const prompts = createPromptTally();
  const outcomes = createOutcomeTally();
  let writing = Promise.resolve();

  function add(siteId: string, more: Partial<Record<CountName, number>>): void {
    if (!counts.has(siteId) && counts.size >= maxSites) return;
    const now = counts.get(siteId) ?? { visit: 0, prompted: 0, asked: 0, granted: 0, denied: 0 };
    for (const name of countNames) now[name] += more[name] ?? 0;
    counts.set(siteId, now);
  }

  async function writeOnce(): Promise<void> {
    const batch = counts;
    counts = new Map();
    const ofPrompts = prompts.take();
    const ofClicks = outcomes.take();
    if (batch.size + ofPrompts.length + ofClicks.length === 0) return;
    try {
      await app.db.transaction().execute(async (tx) => {
        await addCounts(tx, batch);
        await addPromptCounts(tx, ofPrompts);
        await addOutcomes(tx, ofClicks);
      });
    } catch (error) {
      app.log.warn({ err: error }, "writing the counts of pages failed and will be retried");
      for (const [siteId, more] of batch) add(siteId, more);
      for (const more of ofPrompts) prompts.add(more);
      for (const more of ofClicks) outcomes.add(more);
    }
  }

  const write = () => {
    writing = writing.then(writeOnce);
    return writing;
  };
  const timer = setInterval(write, writeEveryMs).unref();
  return {
    record(siteId, body) {
      const { count, prompt, outcome, token } = parseInput(countInput, body);
      if (count === "outcome") {
        const told = readOutcome(app.secrets.tokenKeys, { siteId, name: outcome, token });
        if (told !== undefined) outcomes.add(told);
        return;
      }
      add(siteId, { [count]: count === "visit" ? visitsPerReport : 1 });
      const ofPrompt = countOfPrompt[count];
      if (ofPrompt && typeof prompt === "string" && /^[0-9a-f]{16}$/.test(prompt))
        prompts.add({ siteId, version: prompt, ...ofPrompt });
    },
    write,
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}

/** Adds counts to the day of the database's clock (UTC). Skips removed sites and sites whose receipts are off. */
async function addCounts(on: Executor, counts: Map<string, Record<CountName, number>>): Promise<void> {
  const entries = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const column = (name: CountName) => sql`${entries.map(([, of]) => of[name])}::bigint[]`;
  await sql`insert into site_days as d (site_id, day, visits, prompted, asked, granted, denied)
    select s.id, (now() at time zone 'UTC')::date, c.visits, c.prompted, c.asked, c.granted, c.denied
    from unnest(${entries.map(([siteId]) => siteId)}::uuid[], ${column("visit")}, ${column("prompted")}, ${column("asked")},
        ${column("granted")}, ${column("denied")}) as c (site_id, visits, prompted, asked, granted, denied)
      join sites s on s.id = c.site_id and s.removed_at is null and s.receipts <> 'off'
    order by s.id
    on conflict (site_id, day) do update set visits = d.visits + excluded.visits, prompted = d.prompted + excluded.prompted,
      asked = d.asked + excluded.asked, granted = d.granted + excluded.granted, denied = d.denied + excluded.denied`.execute(
    on,
  );
}
