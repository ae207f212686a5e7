import fc from "fast-check";
import { sql } from "kysely";
import { Pool } from "undici";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { errorRegistry } from "../../src/errors.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type Fixture, fixtureOf } from "../campaigns/fixture.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { startNewspaper } from "../fixtures/newspaper.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/** How many requests each test of this folder sends; a test holds the sum. */
export const requestsOf = {
  creations: 2_500,
  previews: 1_000,
  changes: 2_000,
  schedules: 1_500,
  keys: 500,
  signIns: 200,
  bytes: 4_000,
  headers: 3_000,
  paths: 4_000,
  queries: 1_500,
  brokenHttp: 300,
};

/** A request as it goes out. `body` null: none. */
export type Wire = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
};

/** `status` 0: nothing was answered. */
export type Answered = { status: number; headers: Record<string, unknown>; text: string };

/** The service with something of everything in it, and ids that a request may name. */
export type FuzzFixture = {
  own: Fixture;
  key: string;
  cookie: string;
  ids: {
    tenantId: string;
    siteId: string;
    topicId: string;
    strangersSite: string;
    strangersTenant: string;
    strangersCampaign: string;
    campaigns: string[];
    runs: string[];
  };
  /** The URL of a sound article. */
  article: string;
  send(wire: Wire): Promise<Answered>;
  /** How many rows each table has that a request could touch. */
  countRows(): Promise<Record<string, number>>;
};

const limits = { RATE_LIMIT_PER_MINUTE: "1000000", FETCH_RATE_LIMIT_PER_MINUTE: "1000000", TRUST_PROXY: "1" };

/** Opens the world of one file. No name is looked up, so no page is fetched but the newspaper's on loopback. */
export async function openFuzzFixture(): Promise<FuzzFixture> {
  const newspaper = await startNewspaper();
  const app = await openTestApp({ ...limits, ALLOW_HOSTS: newspaper.allowHost });
  const lookup = async (name: string) => (name === "localhost" ? ["127.0.0.1"] : []);
  const pages = createPageFetcher({ allowHosts: app.config.ALLOW_HOSTS, lookup });
  afterFile(() => pages.close());
  const api = await serve({ ...app, pages });
  const publisher = await createPublisher(app);
  const stranger = fixtureOf(app, api, await createPublisher(app));
  const own = fixtureOf(app, api, publisher);
  const { siteId, tenantId, apiKey: key } = publisher;
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
  const states = ["draft", "draft", "scheduled", "sending", "sent", "stopped", "cancelled", "failed"] as const;
  const made = [];
  for (const state of states) made.push(await own.campaignThatIs(state));
  // Only now: a run without an audience is what can end here, where nobody delivers.
  await subscribe(app, siteId, createSubscriptions(3));
  const pool = new Pool(api.url, { connections: 16, pipelining: 1 });
  afterFile(() => pool.close());
  return {
    own,
    key,
    cookie: await signIn(api, ownerEmail(tenantId)),
    ids: {
      ...{ tenantId, siteId, topicId },
      strangersSite: stranger.publisher.siteId,
      strangersTenant: stranger.publisher.tenantId,
      strangersCampaign: await stranger.draft(),
      campaigns: made.map(({ campaignId }) => campaignId),
      runs: made.flatMap(({ runId }) => runId ?? []),
    },
    article: newspaper.publish("Bridge opens"),
    send: (wire) => sendWire(pool, wire),
    countRows: () => countRows(own),
  };
}

async function sendWire(pool: Pool, { method, path, headers, body }: Wire): Promise<Answered> {
  const answer = await pool.request({ method: method as "GET", path, headers, body: body as string | null });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const tables = ["tenants", "users", "members", "sites", "topics", "subscribers", "api_keys", "campaigns", "runs"];

async function countRows({ app }: Fixture): Promise<Record<string, number>> {
  const counts = tables.map((table) => `'${table}', (select count(*) from ${table})`).join(", ");
  const { rows } = await sql<{ n: Record<string, number> }>`select json_build_object(${sql.raw(counts)}) as n`.execute(
    app.db,
  );
  return rows[0]!.n;
}

const atOnce = 10;

/**
 * Sends `requests` requests made by `arbitrary`, ten at a time, and judges each answer. What fails is shrunk to the
 * smallest request that still does, and printed with the seed to repeat it. Returns all that was answered.
 */
export async function holdFor(
  fixture: Pick<FuzzFixture, "send">,
  arbitrary: fc.Arbitrary<Wire>,
  requests: number,
): Promise<{ wire: Wire; answer: Answered }[]> {
  const all: { wire: Wire; answer: Answered }[] = [];
  const batch = fc.array(arbitrary, { minLength: atOnce, maxLength: atOnce });
  const property = fc.asyncProperty(batch, async (wires) => {
    const answers = await Promise.all(wires.map((wire) => fixture.send(wire)));
    wires.forEach((wire, i) => {
      judgeAnswer(wire, answers[i]!);
      all.push({ wire, answer: answers[i]! });
    });
  });
  await fc.assert(property, {
    numRuns: requests / atOnce,
    interruptAfterTimeLimit: 150_000,
    markInterruptAsFailure: true,
  });
  if (all.length !== requests) throw new Error(`${all.length} requests were sent, not ${requests}`);
  return all;
}

/** What no answer may show: a stack, a path of ours, the database's own words. */
const inside =
  /\n\s+at |node_modules|node:internal|\/src\/|\.ts:\d|kysely|postgres|pg_|syntax error|invalid input syntax|relation "|duplicate key|violates|\b(select|insert into|update|delete from)\b.+\b(from|values|set|where)\b/i;

/** What a library says of a value when nobody gave it better words. A caller is told what to do instead. */
const borrowed = /Invalid (input|option|string|number)|Too (big|small)|expected \w+, received/;

/** Throws unless the answer is one that every input must get: no 5xx, the error's form, nothing of the inside. */
export function judgeAnswer(wire: Wire, { status, headers, text }: Answered): void {
  const complain = (why: string) => {
    throw new Error(`${why}: ${wire.method} ${wire.path} answered ${status} ${text.slice(0, 500)}`);
  };
  if (status === 0) return;
  // The dashboard's page is no JSON, and says 503 where it was not built.
  if (String(headers["content-type"]).startsWith("text/html")) return;
  if (status >= 500) complain("a 5xx");
  const requestId = headers["x-request-id"];
  if (typeof requestId !== "string") complain("no X-Request-Id");
  if (status < 400 || wire.method === "HEAD") return;
  const body = JSON.parse(text) as Record<string, unknown>;
  const isKnownCode = typeof body.code === "string" && Object.hasOwn(errorRegistry, body.code);
  if (status === 401 ? body.code !== undefined && body.code !== "sign_in_failed" : !isKnownCode) complain("no code");
  if (typeof body.message !== "string" || body.message === "") complain("no message");
  if (body.requestId !== requestId) complain("no requestId");
  if (body.code === "validation_failed" && !Array.isArray(body.errors)) complain("no errors");
  if (inside.test(text)) complain("the inside shows");
  const faults = (body.errors ?? []) as { message: string }[];
  if (faults.some(({ message }) => borrowed.test(message))) complain("a library's words");
}

/** The routes under /dashboard and beside, which are not in v1Routes. */
export const otherRoutes = [
  "POST /dashboard/api/auth/sign-in/email",
  "POST /dashboard/api/auth/sign-out",
  "GET /dashboard/api/auth/get-session",
  "GET /healthz",
  "GET /readyz",
];
