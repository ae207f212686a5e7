import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { changeDrill, readDrill } from "../../src/automations/drill/change-drill.ts";
import type { Drill } from "../../src/automations/drill/drill.ts";
import { rows } from "../../src/db/pool.ts";
import type { Email } from "../../src/egress/smtp.ts";
import { sealContext } from "../../src/mail/queue-email.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { writeCodes } from "../fixtures/rows/runs.ts";

type Site = Pick<Publisher, "actor" | "siteId">;

/** Makes the last test device of a site its canary. Returns its id. */
export async function markCanary(app: App, { actor, siteId }: Site): Promise<string> {
  const { testDevices } = await readDrill(app, actor, { siteId });
  const canaryId = testDevices.at(-1)!.deviceId;
  await changeDrill(app, actor, { siteId, body: { canaryId } });
  return canaryId;
}

/** Moves the start of a site's last drill, and its messages to the owners, into the past by this time. */
export async function letPass(app: App, { siteId }: Pick<Site, "siteId">, time: string): Promise<void> {
  await sql`update drills set started_at = started_at - ${time}::interval, planned_at = planned_at - ${time}::interval,
      told = (select coalesce(jsonb_object_agg(key, (value #>> '{}')::timestamptz - ${time}::interval), '{}')
        from jsonb_each(told))
    where site_id = ${siteId}`.execute(app.db);
}

/** Returns the e-mails to the owners since the last call, oldest first. */
export async function takeEmails(app: App): Promise<Email[]> {
  const sealed = await rows(sql<{ id: string; sealed: Buffer }>`delete from emails returning id, sealed`, app.db);
  return sealed.map((email) => JSON.parse(app.secrets.open(email.sealed, sealContext(email.id)).toString()));
}

export const drillOf = (app: App, { actor, siteId }: Site): Promise<Drill> => readDrill(app, actor, { siteId });

/** Returns the runs of a site that have no campaign. */
export function drillRuns(app: App, { siteId }: Pick<Site, "siteId">): Promise<{ runId: string; kind: string }[]> {
  return rows(
    sql<{
      runId: string;
      kind: string;
    }>`select id as "runId", kind from runs where site_id = ${siteId} and campaign_id is null`,
    app.db,
  );
}

/** Gives the message of a site's drill this code. If the code is final, the run ends. */
export async function answerDrill(app: App, site: Pick<Site, "siteId">, code: number): Promise<void> {
  const [run] = await drillRuns(app, site);
  await writeCodes(app, run!.runId, [code]);
  await sweepRuns(app.db);
}
