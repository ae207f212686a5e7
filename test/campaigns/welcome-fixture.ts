import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { changeWelcome } from "../../src/automations/welcome/change-welcome.ts";
import { sendDueWelcomes } from "../../src/automations/welcome/send-due-welcomes.ts";
import { rows } from "../../src/db/pool.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeWelcomes } from "../fixtures/rows/subscribers.ts";
import { planAll } from "../runs/fixture.ts";

/** Returns a step as an editor sends it. */
export const step = (afterDays: number, change: object = {}) => ({
  afterDays,
  title: `Day ${afterDays}`,
  body: "Good to have you.",
  url: "https://news.example/hello",
  ...change,
});

/** Switches on the welcome of the publisher's site, with these steps. */
export function welcomeWith(app: App, { actor, siteId }: Publisher, ...steps: object[]) {
  return changeWelcome(app, actor, { siteId, body: { enabled: true, steps } });
}

/** Makes the next step due now for each reader who is in the welcome. */
export async function makeDue(app: App): Promise<void> {
  await changeWelcomes(app, { isPlanned: true }, { dueAt: present });
}

/** Sends the steps that are due now, and plans their runs. */
export async function sendDue(app: App): Promise<void> {
  while ((await sendDueWelcomes(app)) > 0);
  await planAll(app);
}

/** Acts as if the day of the next step had come. */
export async function nextStep(app: App): Promise<void> {
  await makeDue(app);
  await sendDue(app);
}

export type WelcomeRun = { runId: string; step: number; title: string; audience: number; notSent: number };

/** Returns the runs of a site's welcome, oldest first. */
export function welcomeRuns(app: App, siteId: string): Promise<WelcomeRun[]> {
  return rows(
    sql<WelcomeRun>`select r.id as "runId", r.label::int as step, m.message->>'title' as title, c.size as audience,
        c.not_sent as "notSent"
      from runs r join run_sums c on c.site_id = r.site_id and c.run_id = r.id
        join run_messages m on m.site_id = r.site_id and m.run_id = r.id
      where r.site_id = ${siteId} and r.kind = 'welcome' order by r.id`,
    app.db,
  );
}

/**
 * Returns the next step of each reader in the welcome, and in how many minutes it is due. null: the last step was sent.
 */
export function underWay(app: App, siteId: string): Promise<{ step: number; minutes: number | null }[]> {
  return rows(
    sql<{ step: number; minutes: number | null }>`select step,
        (extract(epoch from due_at - now()) / 60)::float8 as minutes
      from welcome_due where site_id = ${siteId} order by subscriber_id`,
    app.db,
  );
}
