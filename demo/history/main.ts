import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { v7 } from "uuid";
import { createUser } from "../../src/access/accounts/create-user.ts";
import { insertMember } from "../../src/access/members/queries.ts";
import { readConfig } from "../../src/config.ts";
import { row, rows, type Tx } from "../../src/db/pool.ts";
import { learnSite } from "../../src/forecast/learn-sites.ts";
import { saveLearnt } from "../../src/forecast/queries.ts";
import { newId } from "../../src/ids.ts";
import { openApp } from "../../src/open-app.ts";
import { classesChange } from "../../src/tenants/sites/campaign-classes.ts";
import { updateSite } from "../../src/tenants/sites/queries.ts";
import { insertTopic } from "../../src/tenants/topics/queries.ts";
import { addFollows, addRecurringSend, addSegmentsAndAutomations, writeVisits } from "./audience.ts";
import { holdoutPercent, writeHoldout } from "./holdout.ts";
import { type PastSend, planHistory } from "./plan.ts";
import { createRandom, type Random } from "./random.ts";
import { chooseTopics, moveSetUpBack, planJoins, spreadReaders, writeLeft } from "./readers.ts";
import { rowsOf, type SendRows, type Setting } from "./rows.ts";
import { withSpecialSends } from "./special-sends.ts";
import { pastStories } from "./stories.ts";

/** The facts about a reader that the site's pages may set. */
const demoFacts = [{ name: "plan", label: "Your plan", values: ["free", "paid"] }];

/**
 * The newspaper's rules. Only people send breaking news, at most three times a day. Notifications of class `low` are
 * limited, and one reader in ten does not get them.
 */
const demoClasses = classesChange.parse({
  breaking: { senders: ["owner", "editor"], maxADay: 3 },
  low: { caps: { day: 1, week: 4 }, holdoutPercent },
});

const seed = 1_517;
const dayMs = 86_400_000;

const [tenantId = "", siteId = "", keyId = "", origin = ""] = process.argv.slice(2);
/**
 * Writes two months of history of the demo's publisher, in the service's own tables. Arguments: tenant, site, API key
 * and the newspaper's origin. The history is the same at each run of the demo, apart from ids and dates.
 */
async function writeHistory(tx: Tx): Promise<void> {
  // A killed demo has left its feed, whose newspaper no longer exists.
  await sql`delete from feeds where site_id <> ${siteId} and url like 'https://localhost:%'`.execute(tx);
  const random = createRandom(seed);
  const site = (await row(
    sql<{ timeZone: string; now: Date; midnight: Date; subscribers: number }>`select s.time_zone as "timeZone", now(),
        date_trunc('day', now() at time zone s.time_zone) at time zone s.time_zone as midnight,
        (select count(*) from subscribers where site_id = s.id and not is_test) as subscribers
      from sites s where s.id = ${siteId}`,
    tx,
  ))!;
  const { timeZone, subscribers } = site;
  const nowMs = site.now.getTime();
  const { sends, startMs } = planHistory(random, nowMs, site.midnight.getTime());
  const joins = planJoins(random, subscribers, Math.floor((nowMs - startMs) / dayMs) + 1);
  const setting: Setting = {
    tenantId,
    siteId,
    origin,
    nowMs,
    actors: { editor: await addEditor(tx), deskEditor: await addEditor(tx), key: `key:${keyId}` },
    topicIds: await chooseTopics(tx, siteId, async (name) => (await insertTopic(tx, { siteId, id: newId(), name }))!),
    pushServices: await rows(
      sql<
        Setting["pushServices"][number]
      >`select push_service as "pushService", count(*)::float8 / ${Math.max(1, subscribers)} as share from subscribers
        where site_id = ${siteId} and not is_test group by push_service order by 2 desc`,
      tx,
    ),
  };
  const { written: plain, gone } = writeSends(setting, random, sends, { subscribers, joins, startMs });
  const written = withSpecialSends(plain, timeZone, nowMs);
  await spreadReaders(tx, { siteId, timeZone }, { joins, startMs, nowMs, gone });
  await writeVisits(tx, { siteId, timeZone, startMs });
  await writeHoldout(tx, { siteId, startMs });
  await addFollows(tx, siteId);
  await addSegmentsAndAutomations(tx, siteId, origin);
  await addRecurringSend(tx, { tenantId, siteId, createdBy: setting.actors.editor }, setting.topicIds);
  // The screen goal is hours, because the readers' devices are off at night.
  await updateSite(tx, tenantId, siteId, { classes: demoClasses, screenGoalSeconds: 4 * 3_600, facts: demoFacts });
  await moveSetUpBack(tx, tenantId, startMs);
  for (const table of [
    "campaigns",
    "planned_sends",
    "runs",
    "run_messages",
    "run_totals",
    "run_waves",
    "headline_tests",
    "receipt_hours",
    "receipt_minutes",
    "screen_times",
    "click_outcomes",
    "audit_events",
  ] as const) {
    await insertAll(
      tx,
      table,
      written.flatMap((one) => one[table]),
    );
  }
  await writeLeft(tx, { siteId, timeZone });
  await plan(tx, setting);
  await saveLearnt(tx, siteId, await learnSite(tx, { siteId, tenantId, timeZone }));
}

/**
 * Returns the rows of all sends. Computes their audiences backwards from today: without the readers who joined later,
 * and with the readers who were found gone later.
 */
function writeSends(
  setting: Setting,
  random: Random,
  sends: PastSend[],
  { subscribers, joins, startMs }: { subscribers: number; joins: number[]; startMs: number },
): { written: SendRows[]; gone: number } {
  let goneSince = 0;
  const sizes = sends
    .toReversed()
    .map((send) => {
      const day = Math.floor((send.atMs - startMs) / dayMs);
      const joinedSince = joins.slice(day).reduce((sum, n) => sum + n, 0);
      const isToTopic = send.story.topic !== undefined;
      const all = subscribers - joinedSince + goneSince;
      const gone = send.end === "completed" && !isToTopic ? Math.round(all * random.between(0.0004, 0.0016)) : 0;
      goneSince += gone;
      return { audience: isToTopic ? Math.round(all * shareOf(send)) : all + gone, gone };
    })
    .toReversed();
  const written: SendRows[] = [];
  for (const [i, send] of sends.entries()) {
    const corrected = send.corrects ? written.at(-1) : undefined;
    written.push(rowsOf(setting, random, send, { ...sizes[i]!, corrected }));
  }
  return { written, gone: goneSince };
}

const shareOf = ({ story }: PastSend) => (story.topic === "Sport" ? 0.4 : story.topic === "Weather" ? 0.25 : 0.15);

/** Inserts rows whose members are columns of `table`, in one statement. */
async function insertAll(tx: Tx, table: string, all: Record<string, unknown>[]): Promise<void> {
  if (all.length === 0) return;
  const columns = sql.join(Object.keys(all[0]!).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(all)})`.execute(tx);
}

/** Adds an editor with a random password that is not stored. Returns the actor. */
async function addEditor(tx: Tx): Promise<string> {
  const email = `editor-${randomUUID().slice(0, 8)}@example.org`;
  // The address is new, so it has no account yet.
  const userId = (await createUser(tx, { email, password: randomUUID(), emailVerified: false }))!;
  await insertMember(tx, { id: newId(), tenantId, userId, role: "editor" });
  return `user:${userId}`;
}

/** Plans the next days: two notifications with a time, and a draft. */
async function plan(tx: Tx, { actors, nowMs }: Setting): Promise<void> {
  const hour = (ms: number) => new Date(Math.ceil(ms / 3_600_000) * 3_600_000);
  const planned = [hour(nowMs + dayMs * 0.6), hour(nowMs + dayMs * 2.2), null];
  for (const [i, at] of planned.entries()) {
    const { title, body } = pastStories[4 + i * 3]!;
    const id = v7({ msecs: nowMs - 60_000 + i });
    await sql`insert into campaigns (site_id, id, tenant_id, mode, status, url, title, body, force_send, created_by)
      values (${siteId}, ${id}, ${tenantId}, 'manual', 'draft', ${`${origin}/archive/${id}`}, ${title}, ${body}, false,
        ${actors.editor})`.execute(tx);
    if (at === null) continue;
    await sql`insert into planned_sends (id, tenant_id, site_id, campaign_id, campaign_revision, waits_for, starts_at, status)
      values (${newId()}, ${tenantId}, ${siteId}, ${id}, 1, 'time', ${at}, 'waiting')`.execute(tx);
    const details = JSON.stringify({ scheduledAt: at.toISOString() });
    await sql`insert into audit_events (tenant_id, actor, event, site_id, subject_id, details)
      values (${tenantId}, ${actors.editor}, 'campaign.scheduled', ${siteId}, ${id}, ${details})`.execute(tx);
  }
}

const opened = await openApp(readConfig(process.env), {
  logTo: "stderr",
  schema: "use",
  stop: new AbortController().signal,
});
try {
  await opened.app.db.transaction().execute((tx) => writeHistory(tx));
} finally {
  await opened.close();
}
