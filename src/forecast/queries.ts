import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import { localDay, localTimeOf, minutesOf } from "../local-time.ts";
import { isComparable, topicsOf } from "../runs/audience.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { goneCodes } from "../runs/ledger/codes.ts";
import { isAtLocalTime } from "../runs/timing.ts";
import type { NudgeFacts } from "./features.ts";
import type { Learnt, PastNudge } from "./forecast.ts";
import type { LearntElsewhere } from "./priors.ts";

const daysRead = 365;
const nudgesRead = 1_000;
/** The fewest accepted messages of a run. With fewer readers, a share means little. */
const acceptedAtLeast = 50;
/** Days after which a result is no longer used. It is normally computed again every day. */
const learntDays = 8;
/** The most sites of other tenants that are read. Those with the newest results come first. */
const othersRead = 100;

/**
 * SQL condition: a run counts as a send. A run without an audience reached no reader (`readSiteFacts` counts in the
 * same way).
 */
const isSend = sql`${sendsCampaign("runs")} and expected_audience > 0`;

/** The largest test share, in percent, with which most readers got the chosen title of a headline test. */
const testedAtMost = 50;

/** Returns the hour and weekday (1: Monday) of a moment in `timeZone`. `at`: ms since 1970. */
export function clockFacts(timeZone: string, at: number): Pick<NudgeFacts, "hour" | "weekday"> {
  const hour = Math.floor(minutesOf(localTimeOf(timeZone, at)) / 60);
  return { hour, weekday: new Date(localDay(timeZone, at)).getUTCDay() || 7 };
}

/**
 * Reads the live sends of a site in the last year, oldest first: at most the last 1,000 whose clicks were counted one
 * by one and are complete (a day old). Leaves out sends with local-time delivery, which have no single hour, and sends
 * to a segment, whose readers differ from the others. The time since the last notification counts any live send, as a
 * forecast does. After a headline test, uses the message that most readers got. If there is no such message, leaves
 * out the send, because its clicks belong to several titles.
 */
export async function historyOfSite(on: Executor, siteId: string, timeZone: string): Promise<PastNudge[]> {
  const found = await rows(
    sql<Omit<PastNudge, "hour" | "weekday"> & { sentAt: Date }>`with sent as (
        select site_id, id, created_at, audience, timing, receipts,
          lag(created_at) over (order by created_at) as last_sent_at
        from runs where site_id = ${siteId} and ${isSend}
          and created_at between now() - make_interval(days => ${daysRead}) and now() - interval '1 day')
      select
        m.message->>'title' as title, m.message->>'url' as url, m.message->>'imageUrl' is not null as "hasImage",
        ${topicsOf("r")} as "topicIds", r.created_at as "sentAt",
        (extract(epoch from r.created_at - r.last_sent_at) / 3600)::float8 as "hoursSinceLast",
        (extract(epoch from now() - r.created_at) / 86400)::float8 as "ageDays",
        sums.accepted::float8 as accepted, sums.reporting::float8 as reporting, h.displayed::float8 as displayed,
        h.clicked::float8 as clicked, (h.unsubscribed + coalesce(t.gone, 0))::float8 as left
      from sent r
        join run_sums sums on sums.site_id = r.site_id and sums.run_id = r.id
        left join headline_tests test on test.site_id = r.site_id and test.run_id = r.id
        join run_messages m on m.site_id = r.site_id and m.run_id = r.id and m.no = coalesce(test.chosen, 0)
        join notification_sums h on h.site_id = r.site_id and h.run_id = r.id
        left join lateral (select sum(n) as gone from run_totals
          where site_id = r.site_id and run_id = r.id and code = any(${goneCodes})) t on true
      where r.receipts is null and not ${isAtLocalTime("r")} and ${isComparable("r")}
        and sums.accepted >= ${acceptedAtLeast}
        and (test.run_id is null or test.chosen is not null and (r.timing->>'share')::int <= ${testedAtMost})
      order by r.created_at desc limit ${nudgesRead}`,
    on,
  );
  return found.toReversed().map(({ sentAt, ...nudge }) => ({ ...nudge, ...clockFacts(timeZone, sentAt.getTime()) }));
}

/** Returns the hours since the last live send of a site. Null: there was none. */
export async function hoursSinceLastSend(on: Executor, siteId: string): Promise<number | null> {
  const last = await row(
    sql<{ hours: number | null }>`select (extract(epoch from now() - max(created_at)) / 3600)::float8 as hours
      from runs where site_id = ${siteId} and ${isSend}`,
    on,
  );
  return last!.hours;
}

/**
 * Returns the last result of learning at a site, with its time (ISO 8601). Returns undefined if there is none, or if
 * it is too old.
 */
export async function learntOfSite(
  on: Executor,
  siteId: string,
): Promise<{ learnt: Learnt; learntAt: string } | undefined> {
  const found = await row(
    sql<{ learnt: Learnt; learntAt: Date }>`select learnt, learnt_at as "learntAt" from site_forecasts
      where site_id = ${siteId} and learnt is not null and learnt_at > now() - make_interval(days => ${learntDays})`,
    on,
  );
  return found && { learnt: found.learnt, learntAt: found.learntAt.toISOString() };
}

/** Stores the result of learning at a site. Undefined: there was too little to learn from. */
export async function saveLearnt(on: Executor, siteId: string, learnt: Learnt | undefined): Promise<void> {
  await sql`insert into site_forecasts (site_id, learnt) values (${siteId}, ${learnt && JSON.stringify(learnt)})
    on conflict (site_id) do update set learnt = excluded.learnt, learnt_at = now()`.execute(on);
}

/** Returns the first site by id, after `after` unless that is null, whose last learning is more than a day ago. */
export async function siteToLearn(
  on: Executor,
  after: string | null,
): Promise<{ siteId: string; tenantId: string; timeZone: string } | undefined> {
  return row(
    sql<{ siteId: string; tenantId: string; timeZone: string }>`select
        s.id as "siteId", s.tenant_id as "tenantId", s.time_zone as "timeZone"
      from sites s left join site_forecasts f on f.site_id = s.id
      where (${after}::uuid is null or s.id > ${after}::uuid) and s.removed_at is null
        and (f.learnt_at is null or f.learnt_at < now() - interval '1 day')
        and exists (select from runs r where r.site_id = s.id and ${sendsCampaign("r")}
          and r.created_at > now() - make_interval(days => ${daysRead}))
      order by s.id limit 1`,
    on,
  );
}

/** Returns the last results of the sites of other tenants, as far as they are used. */
export function learntElsewhere(on: Executor, tenantId: string): Promise<LearntElsewhere[]> {
  return rows(
    sql<LearntElsewhere>`select s.tenant_id as "tenantId", f.learnt
      from site_forecasts f join sites s on s.id = f.site_id
      where s.tenant_id <> ${tenantId} and s.removed_at is null and f.learnt is not null
        and f.learnt_at > now() - make_interval(days => ${learntDays})
      order by f.learnt_at desc limit ${othersRead}`,
    on,
  );
}
