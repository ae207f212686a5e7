import { randomUUID } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { SingleBar } from "cli-progress";
import { type Client, createClient } from "../client/client.ts";
import { onParentExit } from "../src/cli/parent-exit.ts";
import { installForReaders } from "./install-for-readers.ts";
import { type Newspaper, openNewspaper } from "./newspaper.ts";
import { openReadersSite, type ReadersSite } from "./readers-site.ts";
import { type Service, startService } from "./service.ts";
import { openSignInLink } from "./sign-in-link.ts";
import { type Simulator, startSimulator } from "./simulator.ts";

const usage = `Usage: npm run demo [-- --once] [--subscribers N]

  starts Pressbell with a push service and a newspaper of its own, sends one campaign to N simulated
  subscribers (10,000), and stays up; with --once it ends
`;

type Provisioned = { tenantId: string; siteId: string; keyId: string; apiKey: string };
type Arguments = { once: boolean; subscribers: number };
type Opened = {
  service: Service;
  api: Client;
  site: Provisioned;
  newspaper: Newspaper;
  readersSite: ReadersSite;
  owner: Owner;
};
type Owner = { email: string; password: string };

const say = (line = "") => process.stdout.write(`${line}\n`);

/**
 * Runs all steps of the demo and prints them. With `once`, leaves out those that are only useful while the demo stays
 * up. Adds the functions that undo the steps to `cleanUp`, for a call in reverse order.
 */
async function runSteps({ once, subscribers }: Arguments, cleanUp: (() => Promise<unknown>)[]): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-demo-"));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  say("Starting a push service, a newspaper and Pressbell with its embedded PostgreSQL …");
  const simulator = await startSimulator();
  cleanUp.push(() => simulator.stop());
  const newspaper = await openNewspaper();
  cleanUp.push(() => newspaper.close());
  const readersSite = await openReadersSite();
  cleanUp.push(() => readersSite.close());
  const service = await startService(await settingsFor(folder, simulator, newspaper));
  cleanUp.push(() => service.stop());

  const owner = newOwner();
  const site = await provision(service, readersSite, owner);
  say(`Importing ${count(subscribers)} subscribers, each with its own keys …`);
  const file = join(folder, "subscribers.ndjson");
  await simulator.writeSubscriptions(subscribers, file);
  await service.command(["subscribers", "import", "--site", site.siteId, file]);
  const testFile = join(folder, "test-device.ndjson");
  await simulator.writeSubscriptions(1, testFile);
  await service.command(["subscribers", "import", "--site", site.siteId, "--test-label", "Desk phone", testFile]);

  say("Writing two months of history …");
  const { origin } = new URL(newspaper.articleUrl);
  await service.run(new URL("./history/main.ts", import.meta.url), [site.tenantId, site.siteId, site.keyId, origin]);

  const api = createClient({ ...site, url: service.url });
  const campaignId = await createCampaign(api, site, newspaper);
  await sendTest(api, campaignId);
  await sendCampaign(api, campaignId, subscribers);
  await showReceived(simulator);
  if (once)
    say("\nWithout --once it stays up, with a dashboard, a feed, and a page where your own browser subscribes.");
  else await openToVisitors({ service, api, site, newspaper, readersSite, owner }, cleanUp);
  return service;
}

/** Opens the feed, the dashboard, and the page on which a person's own browser subscribes. */
async function openToVisitors(
  { service, api, site, newspaper, readersSite, owner }: Opened,
  cleanUp: (() => Promise<unknown>)[],
): Promise<void> {
  const added = await service.command([
    ...["feeds", "add", "--json", "--site", site.siteId],
    ...["--url", newspaper.feedUrl],
  ]);
  const { feedId } = JSON.parse(added) as { feedId: string };
  // The next demo uses the same database, with a newspaper on another port. It removes a feed that this demo leaves
  // behind.
  cleanUp.push(() => service.command(["feeds", "remove", feedId]).catch(() => {}));
  await installForReaders(readersSite, service, api, site.siteId);
  printCommands(service, site, newspaper);
  const signInLink = await openSignInLink(service.publicUrl, owner);
  cleanUp.push(() => signInLink.close());
  say(
    `\nThe dashboard of this newspaper, with two months of history. The link signs you in, once:\n\n  ${signInLink.url}`,
  );
  printReadersSite(readersSite);
}

/**
 * Returns the service's settings. It trusts the certificates of the simulator and the newspaper. Nothing else is less
 * strict.
 */
async function settingsFor(
  folder: string,
  simulator: Simulator,
  newspaper: Newspaper,
): Promise<Record<string, string>> {
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, newspaper.certificate);
  // Certificates and push services that the environment names stay trusted.
  for (const file of [simulator.caFile, process.env.NODE_EXTRA_CA_CERTS]) {
    if (file) await appendFile(caFile, `\n${await readFile(file, "utf8")}`);
  }
  const dataDir = resolve(process.env.DATA_DIR ?? "./data", "demo");
  await mkdir(dataDir, { recursive: true });
  return {
    DATA_DIR: dataDir,
    NODE_EXTRA_CA_CERTS: caFile,
    PUSH_SERVICES: [simulator.origin, process.env.PUSH_SERVICES ?? ""].join(","),
    ALLOW_HOSTS: new URL(newspaper.articleUrl).host,
  };
}

/** Returns a new owner for each run of the demo, because the data of the previous run still exists. */
function newOwner(): Owner {
  return { email: `owner-${randomUUID().slice(0, 8)}@example.org`, password: randomUUID() };
}

async function provision(service: Service, readersSite: ReadersSite, { email, password }: Owner): Promise<Provisioned> {
  const words = `provision --tenant Demo --site Courier --site-url ${readersSite.url} --accept-dpa --json`;
  const printed = await service.command([...words.split(" "), "--owner", email, "--password", password]);
  return JSON.parse(printed) as Provisioned;
}

/** Previews the decision on the article, and creates a campaign from it. */
async function createCampaign(api: Client, site: Provisioned, newspaper: Newspaper): Promise<string> {
  const { tenantId, siteId } = site;
  const url = newspaper.articleUrl;
  say(`\nPOST /v1/content/preview   ${url}`);
  const preview = await api.content.preview({ url, siteId });
  say(`  ${preview.decision}, score ${preview.score}`);
  for (const { effect, message } of preview.reasons) say(`  ${effect}: ${message}`);

  say(`POST /v1/tenants/${tenantId}/campaigns`);
  const campaign = await api.campaigns.create({ siteId, url });
  say(`  ${campaign.status}: “${campaign.title}” – ${campaign.body}`);
  return campaign.campaignId;
}

/** Sends the campaign to the test device first, as an editor does. */
async function sendTest(api: Client, campaignId: string): Promise<void> {
  say(`POST /v1/campaigns/${campaignId}/test`);
  const { results } = await api.campaigns.test(campaignId);
  for (const { label, outcome, status } of results) say(`  ${label}: ${outcome} (${status})`);
}

/**
 * Sends the campaign twice with the same idempotency key, as a CMS that retries does, and follows its one run to the
 * end.
 */
async function sendCampaign(api: Client, campaignId: string, subscribers: number): Promise<void> {
  say(`POST /v1/campaigns/${campaignId}/send`);
  const key = { idempotencyKey: randomUUID() };
  const startedMs = performance.now();
  const sent = await api.campaigns.send(campaignId, key);
  const replay = await api.campaigns.send(campaignId, key);
  say(`  run ${sent.runId}; sent again with the same key: duplicate ${replay.duplicate}, the same run`);
  const bar = new SingleBar({
    format: "  {bar} {value}/{total} accepted | {rate}/s",
    noTTYOutput: true,
    notTTYSchedule: 2_000,
  });
  bar.start(subscribers, 0, { rate: 0 });
  const onProgress = ({ accepted }: { accepted: number }) =>
    bar.update(accepted, { rate: Math.round((accepted / (performance.now() - startedMs)) * 1_000) });
  const run = await api.runs.waitForRun(sent.runId, { onProgress });
  bar.stop();
  const { audience, accepted, gone, failed, pending } = run;
  say(
    `  ${run.status}: audience ${audience} = accepted ${accepted} + gone ${gone} + failed ${failed} + pending ${pending}`,
  );
  if (accepted !== subscribers) throw new Error(`expected ${subscribers} accepted, the run says ${accepted}`);
}

/** Prints what the push service received, with one message that is decrypted with its subscriber's private key. */
async function showReceived(simulator: Simulator): Promise<void> {
  const stats = await simulator.stats();
  const { accepted, distinctSubscriptionsAccepted: devices, repeated } = stats;
  say(`\nThe push service took ${count(accepted)} messages for ${count(devices)} devices, the test's among them;`);
  say(`it verified each signature, and ${repeated} came twice.`);
  const [sample] = await simulator.sample(1);
  const { title, body, navigate } = sample!.payload.notification;
  say("One of them, decrypted with its subscriber's key:");
  for (const [name, value] of Object.entries({ title, body, navigate })) say(`  ${name}: ${value}`);
}

function printCommands(service: Service, site: Provisioned, newspaper: Newspaper): void {
  say(`\nPressbell listens on ${service.url}. The same by hand:\n`);
  say(`  KEY=${site.apiKey}`);
  say(`  curl -s ${service.url}/v1/tenants/${site.tenantId}/campaigns -H "Authorization: Bearer $KEY" \\`);
  say(`    -H "Content-Type: application/json" -d '{"siteId":"${site.siteId}","url":"${newspaper.articleUrl}"}'`);
  say(`  curl -s -X POST ${service.url}/v1/campaigns/CAMPAIGN_ID/send -H "Authorization: Bearer $KEY"`);
  say(`  curl -s ${service.url}/v1/runs/RUN_ID -H "Authorization: Bearer $KEY"`);
  say("\nPressbell polls the newspaper's feed. Publish something: it reaches every subscriber within a minute.\n");
  say(`  curl -sk ${newspaper.publishUrl} -d "Ferry back in service"`);
  say(`  curl -s ${service.url}/v1/tenants/${site.tenantId}/campaigns -H "Authorization: Bearer $KEY"`);
}

function printReadersSite({ url }: ReadersSite): void {
  say(`\nBe notified yourself: open ${url} in Chrome or Firefox on this machine, press “1. Ask me”, say yes`);
  say("twice, and press “2. Notify me”. The browser's own push service delivers it: that needs the internet.");
}

function count(n: number): string {
  return n.toLocaleString("en");
}

function readArguments(): Arguments {
  const { values } = parseArgs({ options: { once: { type: "boolean" }, subscribers: { type: "string" } } });
  const subscribers = Number(values.subscribers ?? 10_000);
  if (!Number.isSafeInteger(subscribers) || subscribers < 1) throw new TypeError("--subscribers is a whole number");
  return { once: values.once ?? false, subscribers };
}

/** Runs the demo and returns the exit code. It has then stopped everything that it started, even after a failure. */
async function runDemo(given: Arguments): Promise<number> {
  const cleanUp: (() => Promise<unknown>)[] = [];
  const stopRequested = new Promise<"stop">((resolve) => {
    const stop = () => resolve("stop");
    process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
    onParentExit(stop);
  });
  let exitCode = 0;
  try {
    const service = await Promise.race([runSteps(given, cleanUp), stopRequested]);
    if (service !== "stop" && !given.once) {
      say("\nIt stays up; Ctrl-C ends it.");
      await Promise.race([stopRequested, service.ended]);
    }
  } catch (error) {
    process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : error}\n`);
    exitCode = 1;
  }
  for (const undo of cleanUp.reverse()) await undo();
  return exitCode;
}

try {
  process.exit(await runDemo(readArguments()));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${usage}`);
  process.exit(2);
}
