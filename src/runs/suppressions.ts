import { type RawBuilder, sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { muteDays, storyKey } from "../subscribers/preferences/preferences.ts";
import { nextDigest } from "../subscribers/preferences/queries.ts";
import { policyOf, type RunKind, type SuppressionName } from "./kinds.ts";
import { type FinalCode, finalCode } from "./ledger/codes.ts";
import { isQuiet, readReaderZones, zonesTable } from "./reader-zones.ts";

/** A run whose recipients are checked. */
export type CheckedRun = { siteId: string; runId: string; threadId: string; kind: RunKind };

/** What the conditions of a run need beside it. `stories`: the keys of the stories that mute it. */
type Facts = CheckedRun & { stories: Buffer[] };

/**
 * A reason why a recipient gets a final code in place of the message. `isAsked`: it applies only to readers with a row
 * of preferences `p`, in the zone `z`. `holds`: SQL condition over `opening` (id, push service), and `p` and `z`
 * if `isAsked`.
 */
type Suppression = { code: FinalCode; isAsked: boolean; holds(facts: Facts): RawBuilder<unknown> };

/** The push service of Safari, which shows a push with the tag of a shown one beside it. */
const pushServiceWithoutReplacing = "apple";

/**
 * All suppressions. A correlated `exists` reads one index entry for each reader, also where a table was just filled.
 */
const suppressions: Record<SuppressionName, Suppression> = {
  muted: {
    code: finalCode.muted,
    isAsked: true,
    holds: ({ siteId, stories }) => sql`exists (select from muted_stories m where m.site_id = ${siteId}
      and m.story = any(${stories}::bytea[]) and m.subscriber_id = opening.id
      and m.muted_at > now() - make_interval(days => ${muteDays}))`,
  },
  quietHours: { code: finalCode.readerQuiet, isAsked: true, holds: () => sql`${isQuiet}` },
  frequencyCap: {
    code: finalCode.frequencyCap,
    isAsked: true,
    holds: () => sql`case when p.used_on = z.day then p.used else 0 end >= p.max_a_day`,
  },
  notReplaced: {
    code: finalCode.notReplaced,
    isAsked: false,
    holds: () => sql`opening.push_service = ${pushServiceWithoutReplacing}`,
  },
  closed: {
    code: finalCode.closed,
    isAsked: false,
    holds: ({ siteId, threadId }) => sql`exists (select from interactions c
      where c.site_id = ${siteId} and c.run_id = ${threadId} and c.subscriber_id = opening.id)`,
  },
};

/** The codes that a reader's own preferences give. */
export const preferenceCodes: FinalCode[] = Object.values(suppressions)
  .filter(({ isAsked }) => isAsked)
  .map(({ code }) => code);

/** How many notifications are kept for a digest at most: the last ones. */
const maxKept = 20;

/**
 * SQL: common table expressions behind `opening` (id, push service), the readers who would get the run now. `checked`
 * (id, code) has the final code of each reader that the run's policy suppresses; of other readers it has null or no
 * row. Undefined: nobody is suppressed. Counts the run for readers with a daily budget, and keeps it for their digests,
 * as the policy says: rows of preferences are locked in order of id, so that of runs that are planned at the same time
 * each sees the one before.
 */
export async function suppressionsOf(on: Executor, run: CheckedRun): Promise<RawBuilder<unknown> | undefined> {
  const policy = policyOf(run);
  const applied = policy.suppressedBy.map((name) => suppressions[name]);
  if (applied.length === 0) return undefined;
  const zones = await readReaderZones(on, run.siteId);
  const relevant = zones.names.length > 0 ? applied : applied.filter(({ isAsked }) => !isAsked);
  if (relevant.length === 0) return undefined;
  const facts = { ...run, stories: await storiesOf(on, run) };
  const branches = relevant.map(({ code, holds }) => sql`when ${holds(facts)} then ${code}::int`);
  const code = sql`case ${sql.join(branches, sql` `)} end`;
  if (!relevant.every(({ isAsked }) => isAsked))
    return sql`checked as materialized (select opening.id, ${code} as code from opening)`;
  return sql`${zonesTable(zones)}, ${checkedByPreferences(run, code)}${effects(run)}`;
}

/** The keys of the stories of a run: its own, and that of the notification which it corrects or updates. */
async function storiesOf(on: Executor, { siteId, runId, threadId }: CheckedRun): Promise<Buffer[]> {
  const found = await row(
    sql<{ stories: string[] }>`select array_agg(distinct coalesce(message->>'story', message->>'url')) as stories
      from run_messages where site_id = ${siteId} and run_id in (${runId}, ${threadId}) and no = 0`,
    on,
  );
  return found!.stories.map(storyKey);
}

function checkedByPreferences({ siteId }: CheckedRun, code: RawBuilder<unknown>) {
  return sql`checked as materialized (
      select p.subscriber_id as id, z.day, z.minute, ${code} as code
      from opening join reader_preferences p on p.site_id = ${siteId} and p.subscriber_id = opening.id
        join zones z on z.name = p.time_zone
      order by p.subscriber_id for update of p)`;
}

/** What the decision changes in the preferences of those who were checked. */
function effects(run: CheckedRun): RawBuilder<unknown> {
  const { siteId, threadId } = run;
  const { countsForFrequencyCap, goesIntoDigests } = policyOf(run);
  if (!countsForFrequencyCap) return sql``;
  const isKept = goesIntoDigests
    ? sql`(p.digest_at is not null
        and coalesce(j.code in (${finalCode.readerQuiet}, ${finalCode.frequencyCap}), false))`
    : sql`false`;
  return sql`,
      counted as (
        update reader_preferences p set used_on = j.day,
          used = case when p.used_on = j.day then p.used else 0 end + (j.code is null)::int
        from checked j where p.site_id = ${siteId} and p.subscriber_id = j.id
          and not ${isKept}),
      kept as (
        update reader_preferences p set
          suppressed = (p.suppressed || ${threadId}::uuid)[greatest(1, cardinality(p.suppressed) + 2 - ${maxKept}::int):],
          digest_due_at = coalesce(p.digest_due_at, ${nextDigest(sql`p.digest_at`, sql`j.minute`)})
        from checked j where p.site_id = ${siteId} and p.subscriber_id = j.id and ${isKept})`;
}
