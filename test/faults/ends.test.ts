import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { readSmtpUrl } from "../../src/egress/smtp.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { queueEmail } from "../../src/mail/queue-email.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type FeedServer, rss, startFeedServer } from "../fixtures/feed-server.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import type { FaultFixture } from "./fixture.ts";
import { now } from "./history.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();
let newspaper: FeedServer;

beforeAll(async () => {
  newspaper = await startFeedServer();
});

test("a worker told to end while other servers hang ends within 25 s, without loss or repeats", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const mail = await silentMailServer();
    const sender = { MAIL_FROM: "push@example.org", PUBLIC_URL: "https://push.example.org" };
    const settings = { ...(await settingsWithFeeds(fixture)), SMTP_URL: mail.url, ...sender, IN_FLIGHT_MAX: "100" };
    newspaper.serve("/news.xml", rss([]));
    await addNewspaperFeed(fixture, "/news.xml");
    const [worker] = await Promise.all([fixture.start("worker", { settings }), fixture.start("api")]);
    await eventually(async () => (await seededFeeds(fixture)) === 1);
    const { runId } = await fixture.send();
    await fixture.push.received(500);
    const withMail = { ...fixture.app, config: { ...fixture.app.config, SMTP_URL: readSmtpUrl(mail.url)! } };
    await queueEmail(withMail, fixture.app.db, {
      to: "newsroom@example.org",
      subject: "News",
      text: "The bridge is open.",
    });
    await mail.asked;
    const hanging = Promise.all([hang("/stories/bridge"), hang("/hangs.xml")]);
    newspaper.serve(
      "/news.xml",
      rss([{ link: `${newspaper.origin}/stories/bridge`, guid: "bridge", title: "Bridge" }]),
    );
    await changeFeeds(fixture.app, {}, { nextPollAt: present });
    await addNewspaperFeed(fixture, "/hangs.xml");
    await hanging;

    const askedAt = now();
    // A forced exit would be 1.
    expect(await worker.terminate()).toBe(0);
    // Posting stopped at once, although the process waits five seconds for the mail server.
    const lastAt = Math.max(...(await fixture.push.receipts()).map(({ at }) => at));
    expect(lastAt - askedAt).toBeLessThan(4_000);
    // The fetch of the story was aborted: its item is unchanged, and the claims on its site and feed are released.
    const items = await sql`select status, tries from feed_items`.execute(fixture.app.db);
    expect(items.rows).toEqual([{ status: "new", tries: 0 }]);
    const held = await sql`select from feed_site_claims where lease_until > now()
      union all select from feeds where poll_lease_until > now()`.execute(fixture.app.db);
    expect(held.rows).toEqual([]);

    await fixture.start("worker");
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
    expect((await fixture.push.stats()).repeated).toBe(0);
  }));

/** Returns the settings with which a process can read the newspaper. */
async function settingsWithFeeds({ push }: FaultFixture): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-ends-"));
  afterFile(() => rm(folder, { recursive: true }));
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, `${await readFile(push.caFile, "utf8")}\n${newspaper.certificate}`);
  return { ALLOW_HOSTS: newspaper.allowHost, NODE_EXTRA_CA_CERTS: caFile };
}

/** Starts a mail server that accepts connections and never answers. */
async function silentMailServer(): Promise<{ url: string; asked: Promise<unknown> }> {
  const server = createServer().listen(0, "127.0.0.1");
  afterFile(() => server.close());
  await once(server, "listening");
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: once(server, "connection") };
}

/** Adds this feed of the newspaper to the fixture's site. */
async function addNewspaperFeed({ app, publisher }: FaultFixture, path: string): Promise<void> {
  const { siteId, actor } = publisher;
  const url = newspaper.origin + path;
  const allowing = { ...app, config: { ...app.config, ALLOW_HOSTS: [newspaper.allowHost] } };
  await addFeed(allowing, actor, { siteId, url, allowedHosts: ["localhost"] });
}

async function seededFeeds({ app }: FaultFixture): Promise<number> {
  return (await sql`select from feeds where seeded_at is not null`.execute(app.db)).rows.length;
}

/** Leaves `path` without an answer from now on. Resolves when it is requested. */
function hang(path: string): Promise<void> {
  return new Promise((resolve) => newspaper.serve(path, () => resolve()));
}
