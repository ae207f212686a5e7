import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { actorJoins, actorLabel } from "./queries.ts";

type SendEvent = { runId: string; actor: string; label: string | null };

const wordOfKind: Record<string, string> = { user: "member", key: "key", feed: "feed", recurring: "recurring send" };

/**
 * Returns who sent each of these runs, from the audit log: "member ADDRESS", "key NAME", "feed NAME", "operator", or
 * "schedule of …" with the person who set the schedule. Leaves out runs whose event has been deleted (AUDIT_DAYS).
 */
export async function sendersOfRuns(on: Executor, runIds: string[]): Promise<Map<string, string>> {
  const found = await rows(
    sql<SendEvent>`select r.id as "runId", e.actor, ${actorLabel} as label
      from runs r
        cross join lateral (
          -- The event of a send is written in its transaction, so both have the same time.
          select a.* from audit_events a where a.at = r.created_at and a.tenant_id = r.tenant_id
            and a.subject_id = r.campaign_id and a.event in ('campaign.sent', 'campaign.tested')
          union all
          select a.* from (select b.* from audit_events b where b.at < r.created_at and b.tenant_id = r.tenant_id
            and b.subject_id = r.campaign_id and b.event = 'campaign.scheduled' order by b.id desc limit 1) a
        ) e ${actorJoins}
      where r.id = any(${runIds}) order by r.id, e.at desc`,
    on,
  );
  const byRun = Map.groupBy(found, ({ runId }) => runId);
  return new Map(
    [...byRun].flatMap(([runId, [sent, scheduled]]) => {
      if (sent === undefined || sent.actor !== "schedule") return sent === undefined ? [] : [[runId, nameOf(sent)]];
      return [[runId, scheduled === undefined ? "schedule" : `schedule of ${nameOf(scheduled)}`]];
    }),
  );
}

function nameOf({ actor, label }: SendEvent): string {
  const [kind, id] = actor.split(":");
  const word = wordOfKind[kind!] ?? kind!;
  return id === undefined ? word : `${word} ${label ?? id}`;
}
