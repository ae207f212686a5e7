import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { changeWinBack } from "../../src/automations/win-back/change-win-back.ts";
import { readEndedRuns, removeLost } from "../../src/automations/win-back/remove-lost.ts";
import { sendDueWinBacks } from "../../src/automations/win-back/send-due-win-backs.ts";
import { rows } from "../../src/db/pool.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { writeCodes } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { batchesOf, planAll } from "../runs/fixture.ts";

/** Returns a win-back as an editor sends it. */
export const winBack = (change: object = {}) => ({
  enabled: true,
  afterDays: 60,
  afterwards: "keep",
  title: "We have kept your place",
  body: "This is what you missed.",
  url: "https://news.example/missed",
  ...change,
});

/** Returns a time zone in which it is this hour now. */
export function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 35) % 24) - 11;
  return ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

/** Switches on the win-back of a site. It is noon at the site, and the site has seen readers today. */
export async function winBackWith(
  app: App,
  { actor, siteId }: Pick<Publisher, "actor" | "siteId">,
  change: object = {},
): Promise<void> {
  await changeSites(app, { id: siteId }, { timeZone: zoneAt(12), readersSeenDaysAgo: 0 });
  await changeWinBack(app, actor, { siteId, body: winBack(change) });
}

/** Does one round of the poll loop, and plans the runs that it starts. */
export async function look(app: App): Promise<void> {
  await readEndedRuns(app);
  await removeLost(app);
  await sendDueWinBacks(app);
  await planAll(app);
}

export type WinBackRun = { runId: string; audience: number };

/** Returns the runs of a site's win-back, oldest first. */
export function winBackRuns(app: App, siteId: string): Promise<WinBackRun[]> {
  return rows(
    sql<WinBackRun>`select r.id as "runId", c.size as audience
      from runs r join run_sums c on c.site_id = r.site_id and c.run_id = r.id
      where r.site_id = ${siteId} and r.kind = 'win_back' order by r.id`,
    app.db,
  );
}

/** Ends the last run. Its readers get `outcomes` in their order. All other readers get "accepted". */
export async function endLastRun(app: App, siteId: string, outcomes: number[] = []): Promise<string> {
  const { runId } = (await winBackRuns(app, siteId)).at(-1)!;
  const open = (await batchesOf(app, { siteId, runId })).filter(({ state }) => state !== "done");
  for (const { no, size } of open) {
    const codes = Array.from({ length: size }, (_, at) => outcomes[at] ?? finalCode.accepted);
    await writeCodes(app, runId, codes, no);
  }
  await sweepRuns(app.db);
  return runId;
}
