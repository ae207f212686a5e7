import { type RawBuilder, sql } from "kysely";
import { type Executor, row, type Tx } from "../db/pool.ts";
import { muteDays, storyKey } from "../subscribers/preferences/preferences.ts";
import { nextDigest } from "../subscribers/preferences/queries.ts";
import type { CampaignClass, ClassRule } from "../tenants/sites/campaign-classes.ts";
import { ruleOfClass } from "../tenants/sites/queries.ts";
import { cappedReaders, hasCap } from "./class-cap.ts";
import { heldOutReaders } from "./holdout.ts";
import { policyOf, type RunKind, type SuppressionName } from "./kinds.ts";
import { type FinalCode, finalCode } from "./ledger/codes.ts";
import type { Suppressed } from "./ledger/plan-batches.ts";
import { isQuiet, type ReaderZones, readReaderZones, zoneOfReader } from "./reader-zones.ts";

/** A run whose recipients are checked. */
export type CheckedRun = { siteId: string; runId: string; threadId: string; kind: RunKind; class: CampaignClass };

/** The facts that the conditions of a run need. `stories`: the keys of the stories whose mutes apply to the run. */
type Facts = CheckedRun & { stories: Buffer[] };

/**
 * A reason why a recipient gets a final code instead of the message. `isAsked`: it applies only to readers with a row
 * of preferences `p`, in the zone `z`. `yields`: readers who have agreed to breaking news get the message nevertheless.
 * `holds`: returns an SQL condition over a reader `opening`, and over `p` and `z` if `isAsked`.
 */
type Suppression = { code: FinalCode; isAsked: boolean; yields: boolean; holds(facts: Facts): RawBuilder<unknown> };

/**
 * SQL condition: the browser of a reader `opening` does not replace notifications. Safari shows a push beside an
 * earlier one with the same tag. A browser that shows pushes without the worker (Declarative Web Push) shows a closed
 * notification again.
 */
const doesNotReplace = sql`(opening.push_service = 'apple' or not opening.reports)`;

/**
 * All suppressions. "offset 0" makes an `exists` read one index entry for each reader. Without it, PostgreSQL makes a
 * join. If it expects few rows, as in a table that was just filled, it compares all readers with all entries.
 */
const suppressions: Record<Exclude<SuppressionName, RuleOfClass>, Suppression> = {
  muted: {
    code: finalCode.muted,
    isAsked: true,
    yields: false,
    // The age is checked outside the subquery, because the index of ages has the mutes of all sites.
    holds: ({ siteId, stories }) => sql`exists (select from (
        select m.muted_at from muted_stories m
        where m.site_id = ${siteId} and m.story = any(${stories}::bytea[]) and m.subscriber_id = opening.id offset 0) m
      where m.muted_at > now() - make_interval(days => ${muteDays}))`,
  },
  quietHours: { code: finalCode.readerQuiet, isAsked: true, yields: true, holds: () => sql`${isQuiet}` },
  frequencyCap: {
    code: finalCode.frequencyCap,
    isAsked: true,
    yields: true,
    holds: () => sql`case when p.used_on = z.day then p.used else 0 end >= p.max_a_day`,
  },
  notReplaced: {
    code: finalCode.notReplaced,
    isAsked: false,
    yields: false,
    holds: () => doesNotReplace,
  },
  closed: {
    code: finalCode.closed,
    isAsked: false,
    yields: false,
    holds: ({ siteId, threadId }) => sql`(opening.has_interacted or exists (select from interactions c
      where c.site_id = ${siteId} and c.run_id = ${threadId} and c.subscriber_id = opening.id offset 0))`,
  },
};

/** The reasons that the rules of a class give. They also apply to readers without preferences. */
type RuleOfClass = "heldOut" | "classCap";
const isRuleOfClass = (name: SuppressionName): name is RuleOfClass => name === "heldOut" || name === "classCap";

/** The codes of recipients whom a run does not try to reach. */
export const suppressionCodes: FinalCode[] = [
  finalCode.heldOut,
  finalCode.classCap,
  ...Object.values(suppressions).map(({ code }) => code),
];

/** The most notifications that are kept for a digest. These are the latest ones. */
export const maxKept = 20;

/**
 * Returns the SQL that suppresses readers of a run now; undefined if nobody is suppressed. As the policy says, it
 * also counts the run for readers with a daily limit, and keeps it for their digests. In that case no other run of
 * the site is checked until the transaction ends, so that the next check sees this run.
 */
export async function suppressionsOf(tx: Tx, run: CheckedRun): Promise<Suppressed | undefined> {
  const policy = policyOf(run);
  const applied = policy.suppressedBy.flatMap((name) => (isRuleOfClass(name) ? [] : suppressions[name]));
  if (applied.length === 0) return undefined;
  const zones = await readReaderZones(tx, run.siteId);
  const relevant = zones.names.length > 0 ? applied : applied.filter(({ isAsked }) => !isAsked);
  const rule = await ruleOfClass(tx, run);
  if (policy.countsForFrequencyCap && (relevant.length > 0 || hasCap(rule.caps))) await lockPreferences(tx, run);
  const ofClass = await readRuleSql(tx, run, rule);
  if (relevant.length === 0) return ofClass && checkedByAll(codeOf(ofClass, sql`null::int`));
  const facts = { ...run, stories: await storiesOf(tx, run) };
  const branches = relevant.map(({ code, yields, holds }) => {
    const isThrough = yields && policy.comesThrough ? sql`not p.breaking and` : sql``;
    return sql`when ${isThrough} (${holds(facts)}) then ${code}::int`;
  });
  const code = sql`case ${sql.join(branches, sql` `)} end`;
  if (!relevant.every(({ isAsked }) => isAsked)) return checkedByAll(codeOf(noRule, code));
  return { ...checkedByPreferences(run, zones, code, ofClass), effects: effects(run, zones) };
}

/**
 * Locks the preferences of a site until the transaction ends. All checks that count for the site take this lock
 * first. Locking each row would double the cost of the page.
 */
async function lockPreferences(tx: Tx, { siteId }: CheckedRun): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`preferences ${siteId}`}, 0))`.execute(tx);
}

/**
 * Returns the keys of the stories of a run: its own story, and the story of the notification that it
 * corrects or updates.
 */
async function storiesOf(on: Executor, { siteId, runId, threadId }: CheckedRun): Promise<Buffer[]> {
  const found = await row(
    sql<{ stories: string[] }>`select array_agg(distinct coalesce(message->>'story', message->>'url')) as stories
      from run_messages where site_id = ${siteId} and run_id in (${runId}, ${threadId}) and no = 0`,
    on,
  );
  return found!.stories.map(storyKey);
}

function checkedByAll(code: RawBuilder<unknown>): Suppressed {
  return {
    check: sql`cross join lateral (select ${code} as code offset 0) checked`,
    columns: sql``,
    effects: sql``,
  };
}

/** SQL conditions of the rule of a run's class over readers `opening`. */
type RuleSql = { isHeldOut: RawBuilder<unknown>; isCapped: RawBuilder<unknown> };

const noRule: RuleSql = { isHeldOut: sql`false`, isCapped: sql`false` };

/** Returns the conditions of the rule of a run's class; undefined if it suppresses nobody. */
async function readRuleSql(
  on: Executor,
  run: CheckedRun,
  { holdoutPercent, caps }: ClassRule,
): Promise<RuleSql | undefined> {
  const { suppressedBy } = policyOf(run);
  const isHeldOut = suppressedBy.includes("heldOut") ? await heldOutReaders(on, run, holdoutPercent) : undefined;
  const isCapped = suppressedBy.includes("classCap") ? await cappedReaders(on, run, caps) : undefined;
  if (isHeldOut === undefined && isCapped === undefined) return undefined;
  return { isHeldOut: isHeldOut ?? sql`false`, isCapped: isCapped ?? sql`false` };
}

/**
 * Returns SQL of a reader's final code. `own`: the code by the reader's own wishes. `isThrough`: whether the reader
 * gets breaking news despite a cap.
 *
 * Readers who are held out come first, because their digest must not have the message. They are known before their
 * wave opens: a correction of a stopped run goes to those who waited. All else is checked when a reader's wave opens.
 */
function codeOf({ isHeldOut, isCapped }: RuleSql, own: RawBuilder<unknown>, isThrough = sql`false`) {
  return sql`case when ${isHeldOut} then ${finalCode.heldOut}::int when not opening.waits then
    coalesce(${own}, case when not ${isThrough} and ${isCapped} then ${finalCode.classCap}::int end) end`;
}

/**
 * Returns SQL that reads the preferences of each reader once, by their key (see `suppressions`). PostgreSQL evaluates
 * a cap once for all readers (see cappedReaders).
 */
function checkedByPreferences(
  run: CheckedRun,
  zones: ReaderZones,
  code: RawBuilder<unknown>,
  ofClass: RuleSql = noRule,
) {
  const isThrough = policyOf(run).comesThrough ? sql`coalesce(asked.breaking, false)` : sql`false`;
  return {
    check: sql`left join lateral (
      select ${code} as code, p.digest_at is not null as has_digest, true as has_asked, p.breaking
      from reader_preferences p cross join ${zoneOfReader(zones)}
      where not opening.waits and p.site_id = ${run.siteId} and p.subscriber_id = opening.id offset 0) asked on true
    cross join lateral (
      select ${codeOf(ofClass, sql`asked.code`, isThrough)} as code, asked.has_digest, asked.has_asked offset 0) checked`,
    columns: sql`, checked.has_digest, checked.has_asked`,
  };
}

/**
 * Returns SQL that changes the preferences of the readers who were checked. It finds rows by a list of keys in the
 * order of the index. A join could read all preferences of the site for each reader.
 */
function effects(run: CheckedRun, zones: ReaderZones): RawBuilder<unknown> {
  const { siteId, threadId } = run;
  const { countsForFrequencyCap, goesIntoDigests } = policyOf(run);
  if (!countsForFrequencyCap) return sql``;
  const rowsOf = (condition: RawBuilder<unknown>) => sql`where p.site_id = ${siteId}
          and p.subscriber_id = any((select array_agg(id) from recipient where ${condition})::bigint[])`;
  const isCutShort = sql`coalesce(code in (${finalCode.readerQuiet}, ${finalCode.frequencyCap}, ${finalCode.classCap}), false)`;
  const { names, days, minutes } = zones;
  const local = (values: RawBuilder<unknown>) => sql`(${values})[array_position(${names}::text[], p.time_zone)]`;
  const day = local(sql`${days}::date[]`);
  const counted = sql`,
      counted as (
        update reader_preferences p set used_on = ${day}, used = case when p.used_on = ${day} then p.used else 0 end + 1
        ${rowsOf(sql`has_asked and code is null`)})`;
  if (!goesIntoDigests) return counted;
  return sql`${counted},
      kept as (
        update reader_preferences p set
          suppressed = (p.suppressed || ${threadId}::uuid)[greatest(1, cardinality(p.suppressed) + 2 - ${maxKept}::int):],
          digest_due_at = coalesce(p.digest_due_at, ${nextDigest(sql`p.digest_at`, local(sql`${minutes}::int[]`))})
        ${rowsOf(sql`has_digest and ${isCutShort}`)})`;
}
