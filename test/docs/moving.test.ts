import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import { eraseSites } from "../../src/erasure/erase-sites.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { insertCampaign, passphrase, scratchFolder } from "../backup/fixture.ts";
import { makeDue } from "../campaigns/fixture.ts";
import { runHere } from "../cli/run-here.ts";
import { createTestContext, deliverOne } from "../delivery/fixture.ts";
import { createTestDatabase, openAppOn, settingsOf } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { planAll } from "../runs/fixture.ts";
import { readPage } from "./pages.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Installation = { app: App; publisher: Publisher };

const readers = 3;
const commands = await readCommands();
const given = new Set<string>();

let pushService: PushService;
let source: Installation;
let target: Installation;
/** The file names that the page uses, with their real paths. */
let files: Record<string, string>;
let siteId: string;
let scheduled: string;

/**
 * Returns all commands of docs/moving.md: the lines of its code blocks without comments, and the commands within
 * sentences.
 */
async function readCommands(): Promise<string[]> {
  const page = await readPage("docs/moving.md");
  const lines = [...page.matchAll(/^npm run -s pressbell -- (.+?)(?:\s+# .*)?$/gm)];
  const inSentences = [...page.matchAll(/`pressbell ([^`]+)`/g)];
  return [...lines, ...inSentences].map(([, command]) => command!);
}

/**
 * Runs the only command of the page that matches `pattern`. `values` and the real paths replace its words in capitals
 * and its file names.
 */
async function give({ app }: Installation, pattern: RegExp, values: Record<string, string>) {
  const found = commands.filter((command) => pattern.test(command));
  expect(found, String(pattern)).toHaveLength(1);
  given.add(found[0]!);
  const words = found[0]!.split(" ").map((word) => ({ ...files, ...values })[word] ?? word);
  const printed = await runHere(words, { ...settingsOf(app), PUSH_SERVICES: pushService.origin });
  expect(printed, found[0]).toMatchObject({ code: 0 });
  return printed;
}

async function openInstallation(): Promise<Installation> {
  const app = await openAppOn(await createTestDatabase("template"), { PUSH_SERVICES: pushService.origin });
  return { app, publisher: await createPublisher(app) };
}

/**
 * Writes the files that OneSignal exports: a key pair, and the list of its readers. The first reader of the list has
 * left.
 */
async function writeFormerFiles(): Promise<void> {
  const pair = writeVapidFile(generateVapidPair());
  const made = pushService.createSubscriptions(readers + 1, { applicationServerKey: pair.publicKey });
  const header = "id,identifier,device_type,invalid_identifier,web_auth,web_p256";
  const lines = made.map(
    ({ endpoint, keys }, at) => `${at},${endpoint},5,${at === 0 ? "t" : "f"},${keys.auth},${keys.p256dh}`,
  );
  await writeFile(files["vapid.json"]!, JSON.stringify(pair));
  await writeFile(files["export.csv.gz"]!, gzipSync([header, ...lines].join("\n")));
  await writeFile(files.FILE!, `${passphrase}\n`);
}

beforeAll(async () => {
  pushService = await startPushService();
  source = await openInstallation();
  target = await openInstallation();
  const folder = await scratchFolder();
  const names = ["vapid.json", "export.csv.gz", "news.pressbell", "FILE"];
  files = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
  await writeFormerFiles();
});

/**
 * Makes the scheduled campaign due in this installation, and acts as a service does. Returns the number of messages
 * sent so far.
 */
async function sendWhatIsDue({ app }: Installation): Promise<number> {
  await makeDue(app, scheduled);
  await startDueSends(app);
  await planAll(app);
  while (await deliverOne(createTestContext(app, pushService)));
  await sweepRuns(app.db);
  return pushService.stats().received;
}

const siteOf = ({ app }: Installation, id = siteId) =>
  row(
    sql`select migrate_subscriptions is not null as "migrates", paused_at is not null as paused, removed_at is not null as removed
      from sites where id = ${id}`,
    app.db,
  );

test("readers come with OneSignal's key pair and export, and a second import changes nothing", async () => {
  const { tenantId } = source.publisher;
  const added = await give(source, /^site add /, { ID: tenantId, N: "News", URL: "https://news.example" });
  siteId = /^siteId: (\S+)$/m.exec(added.out)![1]!;
  const first = await give(source, /^subscribers import /, { ID: siteId });
  expect(first.out).toMatch(new RegExp(`^added: ${readers}$`, "m"));
  expect(first.err).toContain("line 2: has unsubscribed");
  const second = await give(source, /^subscribers import /, { ID: siteId });
  expect(second.out).toMatch(/^added: 0$/m);
});

test("readers leave with a list and the key pair", async () => {
  const taken = await scratchFolder();
  const [list, pair] = ["subscribers.ndjson", "vapid.json"].map((name) => join(taken, name));
  await give(source, /^subscribers export /, { ID: siteId, "subscribers.ndjson": list! });
  await give(source, /^site vapid export /, { ID: siteId, "vapid.json": pair! });
  expect((await readFile(list!, "utf8")).trim().split("\n")).toHaveLength(readers);
  expect(JSON.parse(await readFile(pair!, "utf8"))).toEqual(JSON.parse(await readFile(files["vapid.json"]!, "utf8")));
});

test("the migration of granted readers is switched on", async () => {
  expect(await siteOf(source)).toMatchObject({ migrates: false });
  await give(source, /^site set .*--migrate-subscriptions on$/, { ID: siteId });
  expect(await siteOf(source)).toMatchObject({ migrates: true });
});

test("a site moves with a scheduled campaign, which only the target sends, after its release", async () => {
  scheduled = await insertCampaign(source.app, { ...source.publisher, siteId }, 3_600);
  await give(source, /^site export /, { ID: siteId });
  expect(await sendWhatIsDue(source)).toBe(0);

  await give(target, /^site import /, { ID: target.publisher.tenantId });
  expect(await sendWhatIsDue(target)).toBe(0);
  expect(await siteOf(target)).toMatchObject({ migrates: true });
  await give(target, /^quarantine release --site ID$/, { ID: siteId });
  expect(await sendWhatIsDue(target)).toBe(readers);

  await give(source, /^site remove /, { ID: siteId });
  expect(await siteOf(source)).toMatchObject({ removed: true });
  expect(await siteOf(target)).toMatchObject({ removed: false });
  expect(await sendWhatIsDue(source)).toBe(readers);
});

test("a site whose file was imported nowhere goes on at the source; an export can be repeated", async () => {
  const { siteId: other } = source.publisher;
  for (const file of ["first.pressbell", "second.pressbell"]) {
    await give(source, /^site export /, { ID: other, "news.pressbell": files.FILE!.replace(/FILE$/, file) });
  }
  expect(await siteOf(source, other)).toMatchObject({ paused: true });
  await give(source, /^quarantine release --site ID --not-moved$/, { ID: other });
  expect(await siteOf(source, other)).toMatchObject({ paused: false });
});

test("a site that has moved away comes back once the one that stayed is erased", async () => {
  const back = { "news.pressbell": files.FILE!.replace(/FILE$/, "back.pressbell") };
  await give(target, /^site export /, { ID: siteId, ...back });
  await give(source, /^site erase /, { ID: siteId });
  await runMaintenance(source.app.db, [eraseSites]);
  await give(source, /^site import /, { ID: source.publisher.tenantId, ...back });
  expect(await siteOf(source)).toMatchObject({ migrates: true, removed: false });
});

test("no command of the page was left out", () => {
  expect(commands.filter((command) => !given.has(command))).toEqual([]);
});
