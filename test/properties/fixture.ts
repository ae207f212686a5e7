import fc from "fast-check";
import { sql } from "kysely";
import { Pool } from "undici";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { errorRegistry } from "../../src/errors.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type CampaignFixture, campaignFixtureOf } from "../campaigns/fixture.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { startNewspaper } from "../fixtures/newspaper.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/** How many requests each test of this folder sends. A test checks their sum. */
export const requestCounts = {
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

/** A request to send. With null as `body` it has no body. */
export type FuzzRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
};

/** The answer to a request. `status` is 0 if there was none. */
export type FuzzAnswer = { status: number; headers: Record<string, unknown>; text: string };

/** The service with rows in all tables, and ids for requests to use. */
export type FuzzFixture = {
  own: CampaignFixture;
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
  /** The URL of a valid article. */
  article: string;
  send(wire: FuzzRequest): Promise<FuzzAnswer>;
  /** Counts the rows of each table that a request could change. */
  countRows(): Promise<Record<string, number>>;
};

const limits = { RATE_LIMIT_PER_MINUTE: "1000000", FETCH_RATE_LIMIT_PER_MINUTE: "1000000", TRUST_PROXY: "1" };

/** Opens the fixture of one file. No host name resolves, so only pages of the newspaper on loopback are fetched. */
export async function openFuzzFixture(): Promise<FuzzFixture> {
  const newspaper = await startNewspaper();
  const app = await openTestApp({ ...limits, ALLOW_HOSTS: newspaper.allowHost });
  const lookup = async (name: string) => (name === "localhost" ? ["127.0.0.1"] : []);
  const pages = createPageFetcher({ allowHosts: app.config.ALLOW_HOSTS, lookup });
  afterFile(() => pages.close());
  const api = await serve({ ...app, pages });
  const publisher = await createPublisher(app);
  const stranger = campaignFixtureOf(app, api, await createPublisher(app));
  const own = campaignFixtureOf(app, api, publisher);
  const { siteId, tenantId, apiKey: key } = publisher;
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
  const states = ["draft", "draft", "scheduled", "sending", "sent", "stopped", "cancelled", "failed"] as const;
  const campaigns = [];
  for (const state of states) campaigns.push(await own.campaignThatIs(state));
  // The readers subscribe only now. Nothing delivers here, so the runs above could end only without an audience.
  await subscribe(app, siteId, createSubscriptions(3));
  const pool = new Pool(api.url, { connections: 16, pipelining: 1 });
  afterFile(() => pool.close());
  return {
    own,
    key,
    cookie: await signIn(api, ownerEmail(tenantId)),
    ids: {
      tenantId,
      siteId,
      topicId,
      strangersSite: stranger.publisher.siteId,
      strangersTenant: stranger.publisher.tenantId,
      strangersCampaign: await stranger.draft(),
      campaigns: campaigns.map(({ campaignId }) => campaignId),
      runs: campaigns.flatMap(({ runId }) => runId ?? []),
    },
    article: newspaper.publish("Bridge opens"),
    send: (wire) => approvalRequest(pool, wire),
    countRows: () => countRows(own),
  };
}

async function approvalRequest(pool: Pool, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const answer = await pool.request({ method: method as "GET", path, headers, body: body as string | null });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const tables = ["tenants", "users", "members", "sites", "topics", "subscribers", "api_keys", "campaigns", "runs"];

async function countRows({ app }: CampaignFixture): Promise<Record<string, number>> {
  const counts = tables.map((table) => `'${table}', (select count(*) from ${table})`).join(", ");
  const { rows } = await sql<{ n: Record<string, number> }>`select json_build_object(${sql.raw(counts)}) as n`.execute(
    app.db,
  );
  return rows[0]!.n;
}

const concurrency = 10;

/**
 * Sends `requests` requests from `arbitrary`, ten at a time, and checks each answer. If a request fails, finds the
 * smallest one that still fails, and prints it with the seed that repeats it. Returns all requests with their answers.
 */
export async function checkRequests(
  fixture: Pick<FuzzFixture, "send">,
  arbitrary: fc.Arbitrary<FuzzRequest>,
  requests: number,
): Promise<{ wire: FuzzRequest; answer: FuzzAnswer }[]> {
  const all: { wire: FuzzRequest; answer: FuzzAnswer }[] = [];
  const batch = fc.array(arbitrary, { minLength: concurrency, maxLength: concurrency });
  const property = fc.asyncProperty(batch, async (wires) => {
    const answers = await Promise.all(wires.map((wire) => fixture.send(wire)));
    wires.forEach((wire, i) => {
      checkAnswer(wire, answers[i]!);
      all.push({ wire, answer: answers[i]! });
    });
  });
  await fc.assert(property, {
    numRuns: requests / concurrency,
    interruptAfterTimeLimit: 150_000,
    markInterruptAsFailure: true,
  });
  if (all.length !== requests) throw new Error(`${all.length} requests were sent, not ${requests}`);
  return all;
}

/** Texts that no answer may contain: a stack trace, a source path, an error message of the database. */
const internals =
  /\n\s+at |node_modules|node:internal|\/src\/|\.ts:\d|kysely|postgres|pg_|syntax error|invalid input syntax|relation "|duplicate key|violates|\b(select|insert into|update|delete from)\b.+\b(from|values|set|where)\b/i;

/** Default messages of the validation library. Unlike them, our own messages say what to do instead. */
const libraryMessage = /Invalid (input|option|string|number)|Too (big|small)|expected \w+, received/;

/** Throws unless the answer meets the rules for every input: no 5xx, the form of errors, no internal texts. */
export function checkAnswer(wire: FuzzRequest, { status, headers, text }: FuzzAnswer): void {
  const fail = (why: string) => {
    throw new Error(`${why}: ${wire.method} ${wire.path} answered ${status} ${text.slice(0, 500)}`);
  };
  if (status === 0) return;
  // The dashboard's page is not JSON, and answers 503 when it is not built.
  if (String(headers["content-type"]).startsWith("text/html")) return;
  if (status >= 500) fail("a 5xx");
  const requestId = headers["x-request-id"];
  if (typeof requestId !== "string") fail("no X-Request-Id");
  if (status < 400 || wire.method === "HEAD") return;
  const body = JSON.parse(text) as Record<string, unknown>;
  const isKnownCode = typeof body.code === "string" && Object.hasOwn(errorRegistry, body.code);
  if (status === 401 ? body.code !== undefined && body.code !== "sign_in_failed" : !isKnownCode) fail("no code");
  if (typeof body.message !== "string" || body.message === "") fail("no message");
  if (body.requestId !== requestId) fail("no requestId");
  if (body.code === "validation_failed" && !Array.isArray(body.errors)) fail("no errors");
  if (internals.test(text)) fail("internals in the answer");
  const faults = (body.errors ?? []) as { message: string }[];
  if (faults.some(({ message }) => libraryMessage.test(message))) fail("a message of a library");
}

/** Routes that are not in v1Routes: those under /dashboard, and the health checks. */
export const otherRoutes = [
  "POST /dashboard/api/auth/sign-in/email",
  "POST /dashboard/api/auth/sign-out",
  "GET /dashboard/api/auth/get-session",
  "GET /healthz",
  "GET /readyz",
];
