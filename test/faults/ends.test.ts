import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { readSmtpUrl } from "../../src/egress/smtp.ts";
import { addFeed } from "../../src/feeds/add-feed.ts";
import { queueEmail } from "../../src/mail/queue-email.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type FeedServer, rss, startFeedServer } from "../fixtures/feed-server.ts";
import { type FaultFixture, withFixture } from "./fixture.ts";
import { now } from "./history.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";

let postgres: OwnPostgres;
let newspaper: FeedServer;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  newspaper = await startFeedServer();
  return postgres.close;
});

test("a worker that is asked to end amid a run, while a feed, a story and a mail server hang: posting ends at once, all within its 25 seconds, and nobody is lost or repeated", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const mail = await silentMailServer();
    const sender = { MAIL_FROM: "push@example.org", PUBLIC_URL: "https://push.example.org" };
    const settings = { ...(await settingsWithFeeds(fixture)), SMTP_URL: mail.url, ...sender, IN_FLIGHT_MAX: "100" };
    newspaper.serve("/news.xml", rss([]));
    await openFeed(fixture, "/news.xml");
    const [worker] = await Promise.all([fixture.start("worker", { settings }), fixture.start("api")]);
    await eventually(async () => (await seededFeeds(fixture)) === 1);
    const { runId } = await fixture.send();
    await fixture.push.received(500);
    const writing = { ...fixture.app, config: { ...fixture.app.config, SMTP_URL: readSmtpUrl(mail.url)! } };
    await queueEmail(writing, fixture.app.db, {
      to: "claimLoop@example.org",
      subject: "News",
      text: "The bridge is open.",
    });
    await mail.asked;
    const hanging = Promise.all([hang("/stories/bridge"), hang("/hangs.xml")]);
    newspaper.serve(
      "/news.xml",
      rss([{ link: `${newspaper.origin}/stories/bridge`, guid: "bridge", title: "Bridge" }]),
    );
    await sql`update feeds set next_poll_at = now()`.execute(fixture.app.db);
    await openFeed(fixture, "/hangs.xml");
    await hanging;

    const askedAt = now();
    // By force it would be 1.
    expect(await worker.terminate()).toBe(0);
    // The mail server is given up after five seconds: until then nothing was claimed and posted.
    const lastAt = Math.max(...(await fixture.push.receipts()).map(({ at }) => at));
    expect(lastAt - askedAt).toBeLessThan(4_000);
    // The story was cut off: of its item nothing is noted, and its site and its feed are anybody's.
    const items = await sql`select status, tries from feed_items`.execute(fixture.app.db);
    expect(items.rows).toEqual([{ status: "new", tries: 0 }]);
    const held = await sql`select from feed_desks where lease_until > now()
      union all select from feeds where poll_lease_until > now()`.execute(fixture.app.db);
    expect(held.rows).toEqual([]);

    await fixture.start("worker");
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
    expect((await fixture.push.stats()).repeated).toBe(0);
  }));

/** What a process needs to read the newspaper, besides the push service. */
async function settingsWithFeeds({ push }: FaultFixture): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-ends-"));
  afterFile(() => rm(folder, { recursive: true }));
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, `${await readFile(push.caFile, "utf8")}\n${newspaper.certificate}`);
  return { ALLOW_HOSTS: newspaper.allowHost, NODE_EXTRA_CA_CERTS: caFile };
}

/** A mail server that takes connections and says nothing. */
async function silentMailServer(): Promise<{ url: string; asked: Promise<unknown> }> {
  const server = createServer().listen(0, "127.0.0.1");
  afterFile(() => server.close());
  await once(server, "listening");
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: once(server, "connection") };
}

/** Has the trial's site follow this feed of the newspaper. */
async function openFeed({ app, publisher }: FaultFixture, path: string): Promise<void> {
  const { siteId, actor } = publisher;
  const url = newspaper.origin + path;
  const vouching = { ...app, config: { ...app.config, ALLOW_HOSTS: [newspaper.allowHost] } };
  await addFeed(vouching, actor, { siteId, url });
}

async function seededFeeds({ app }: FaultFixture): Promise<number> {
  return (await sql`select from feeds where seeded_at is not null`.execute(app.db)).rows.length;
}

/** Answers `path` never from now on; resolves when it is asked for. */
function hang(path: string): Promise<void> {
  return new Promise((resolve) => newspaper.serve(path, () => resolve()));
}
