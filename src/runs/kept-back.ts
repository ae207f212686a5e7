import { type RawBuilder, sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { isTimeZone, localDay, localTime, minutesOf } from "../local-time.ts";
import { muteDays, storyKey } from "../subscribers/preferences/preferences.ts";
import { nextDigest } from "../subscribers/preferences/queries.ts";
import { type FrozenSegment, runOfLists } from "../subscribers/segments/segment.ts";
import { zonesIn } from "../subscribers/zone-queries.ts";
import { judgeUpdate } from "./closed-nudges.ts";
import { finalCode } from "./codes.ts";
import type { RunKind, RunMessage } from "./run.ts";

/** Where the readers of a site are who have asked for anything, and what day and minute it is there. */
export type ReaderZones = { names: string[]; days: string[]; minutes: number[] };

/** How many headlines are kept back for a digest, at most: the last ones. */
const maxKeptBack = 20;

/**
 * Reads the time zones of a site's preferences, with the local time in each by the database's clock. Empty where no reader
 * has asked for anything, which is what planning without preferences costs. The time is reckoned here: a zone that the
 * database does not know would fail the planning of the whole site. In one that is not known here it is the time of UTC.
 */
export async function readReaderZones(on: Executor, siteId: string): Promise<ReaderZones> {
  const { now } = (await row(sql<{ now: Date }>`select now() as now`, on))!;
  const names = await zonesIn(on, "reader_preferences", siteId);
  const known = names.map((name) => (isTimeZone(name) ? name : "UTC"));
  return {
    names,
    days: known.map((name) => localDay(name, now.getTime())),
    minutes: known.map((name) => minutesOf(localTime(name, now.getTime()))),
  };
}

/** SQL: a common table expression `zones` (name, day, minute). */
export const zonesTable = ({ names, days, minutes }: ReaderZones) => sql`zones as (
        select * from unnest(${names}::text[], ${days}::date[], ${minutes}::int[]) as zone (name, day, minute))`;

/** SQL condition, null without quiet hours: in the zone `z` of reader `p` they are now. */
export const isQuiet =
  sql.raw(`case when p.quiet_from < p.quiet_until then z.minute >= p.quiet_from and z.minute < p.quiet_until
              else z.minute >= p.quiet_from or z.minute < p.quiet_until end`);

/** `segment`: where it names lists, those of the page are in the common table expression `lists` (next-readers.ts). */
type JudgedRun = {
  siteId: string;
  runId: string;
  campaignId: string | null;
  kind: RunKind;
  message: RunMessage;
  segment?: FrozenSegment | null;
};

/**
 * SQL: common table expressions behind `page` (id, lane). `judged` (id, code) has readers of the page, with the final code
 * of those that this run leaves out, else null. Undefined: it leaves out none. A correction and an update go to the
 * readers of the first run, and count for none.
 */
export async function judgeAudience(on: Executor, run: JudgedRun): Promise<RawBuilder<unknown> | undefined> {
  if (run.kind === "test" || run.kind === "digest") return undefined;
  const zones = await readReaderZones(on, run.siteId);
  const { tag, story, url } = run.message;
  const key = storyKey(story ?? url);
  if (run.kind === "update") return judgeUpdate(run, withoutNudge(run, tag!), isMuted(run.siteId, "page.id", key));
  if (zones.names.length === 0) return undefined;
  return tag === undefined ? judgeNudge(run, key, zones) : sql`judged as materialized (${leftOutOf(run, tag)})`;
}

/**
 * SQL: those of the page that the first run of the nudge has left out by their own wish (id, code). Where the page is of an
 * earlier run's lists, these have the same codes, and no others are read.
 */
function leftOutOf(run: JudgedRun, tag: string) {
  return sql`select id, code from (${outcomesOf(run, tag, sql`b.not_sent > 0`)}) as outcome
    where code = any(${leftOutCodes}::int[])`;
}

const leftOutCodes = [finalCode.muted, finalCode.readerQuiet, finalCode.readerBudget];

/**
 * SQL: those of the page that the nudge has not reached (id, code): they keep the code of their own wish. An update would
 * show them, with a sound, what a stop had kept from them, or what was too late.
 */
function withoutNudge(run: JudgedRun, tag: string) {
  return sql`select id, case when code = any(${leftOutCodes}::int[]) then code else ${finalCode.notHad}::int end as code
    from (${outcomesOf(run, tag, sql`b.accepted + b.unknown < b.size`)}) as outcome
    where code <> all(${hadCodes}::int[])`;
}

/** `uncertain`: it was on the wire when its sender died. */
const hadCodes = [finalCode.accepted, finalCode.uncertain];

/** SQL: the outcomes (id, code) of those of the page in the first run of a nudge, or in that of the lists which are read. */
function outcomesOf({ siteId, segment = null }: JudgedRun, tag: string, ofBatches: RawBuilder<unknown>) {
  const lists = runOfLists(segment);
  const runId = lists?.runId ?? tag;
  const ofPage = lists === undefined ? sql`true` : sql`b.no in (select no from lists)`;
  return sql`select one.id, get_byte(b.codes, (one.position - 1)::int) as code
    from run_batches b join run_recipients r on r.site_id = b.site_id and r.run_id = b.run_id and r.no = b.no
      cross join lateral unnest(r.subscriber_ids) with ordinality as one (id, position)
    where b.site_id = ${siteId} and b.run_id = ${runId} and ${ofBatches} and ${ofPage}
      and one.id in (select id from page)`;
}

/** SQL condition: the reader with this id has muted the story. */
function isMuted(siteId: string, id: "page.id" | "p.subscriber_id", story: Buffer) {
  return sql`exists (select from muted_stories m where m.site_id = ${siteId} and m.subscriber_id = ${sql.raw(id)}
    and m.story = ${story} and m.muted_at > now() - make_interval(days => ${muteDays}))`;
}

/**
 * SQL: the readers of the page who have asked for anything, judged by that. A nudge counts when it is planned for a reader:
 * their rows are locked in order of id, so that of runs that are planned at the same time each sees the count of the one
 * before. A welcome that is left out is in no digest: it is no headline.
 */
function judgeNudge({ siteId, runId, kind }: JudgedRun, story: Buffer, zones: ReaderZones) {
  const isForDigest = kind === "welcome" ? sql`false` : isHeadlineForDigest;
  return sql`${zonesTable(zones)},
      judged as materialized (
        select p.subscriber_id as id, z.day, z.minute, case
            when ${isMuted(siteId, "p.subscriber_id", story)} then ${finalCode.muted}::int
            when ${isQuiet} then ${finalCode.readerQuiet}::int
            when case when p.used_on = z.day then p.used else 0 end >= p.max_a_day then ${finalCode.readerBudget}::int
          end as code
        from page join reader_preferences p on p.site_id = ${siteId} and p.subscriber_id = page.id
          join zones z on z.name = p.time_zone
        order by p.subscriber_id for update of p),
      counted as (
        update reader_preferences p set used_on = j.day,
          used = case when p.used_on = j.day then p.used else 0 end + (j.code is null)::int
        from judged j where p.site_id = ${siteId} and p.subscriber_id = j.id
          and not ${isForDigest}),
      kept as (
        update reader_preferences p set
          kept_back = (p.kept_back || ${runId}::uuid)[greatest(1, cardinality(p.kept_back) + 2 - ${maxKeptBack}::int):],
          digest_due_at = coalesce(p.digest_due_at, ${nextDigest(sql`p.digest_at`, sql`j.minute`)})
        from judged j where p.site_id = ${siteId} and p.subscriber_id = j.id and ${isForDigest})`;
}

/** SQL condition: the nudge that was judged `j` is kept back for the digest of reader `p`. */
const isHeadlineForDigest = sql.raw(
  `(p.digest_at is not null and coalesce(j.code in (${finalCode.readerQuiet}, ${finalCode.readerBudget}), false))`,
);
