import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { scratchFolder } from "../backup/fixture.ts";
import { runHere } from "../cli/run-here.ts";
import { createTestContext, deliverToEnd } from "../delivery/fixture.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { type BrowserSubscription, createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { message, startPlanned, view } from "../runs/fixture.ts";

vi.setConfig({ testTimeout: 60_000 });

let pushService: PushService;
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  pushService = await startPushService({ keepBodies: "all" });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  publisher = await createPublisher(app);
});

const run = (words: string[]) => runHere(words, { ...settingsOf(app), PUSH_SERVICES: pushService.origin });

/** Creates the former service's key pair as PEM, with its public key as browsers have it. */
function createForeignPair() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url")]);
  return { pem: privateKey.export({ type: "pkcs8", format: "pem" }), publicKey: point.toString("base64url") };
}

const header =
  "id,identifier,session_count,language,timezone,device_os,device_type,tags,invalid_identifier,web_auth,web_p256";
const lineOf = ({ endpoint, keys }: BrowserSubscription, left: "t" | "f") =>
  `0a1b2c3d-0000-4000-8000-000000000000,${endpoint},4,en,3600,142.0,5,"{""region"":""north, east""}",${left},${keys.auth},${keys.p256dh}`;

test("a site takes OneSignal's key pair and CSV export, and its push service accepts them", async () => {
  const folder = await scratchFolder();
  const pair = createForeignPair();
  const [left, ...readers] = pushService.createSubscriptions(4, { applicationServerKey: pair.publicKey });
  const [pemFile, csvFile] = [join(folder, "vapid.pem"), join(folder, "export.csv")];
  await writeFile(pemFile, pair.pem);
  await writeFile(csvFile, [header, lineOf(left!, "t"), ...readers.map((reader) => lineOf(reader, "f"))].join("\n"));

  const site = ["site", "add", "--tenant", publisher.tenantId, "--name", "Moved", "--url", "https://news.example"];
  const added = await run([...site, "--vapid-file", pemFile, "--json"]);
  expect(added).toMatchObject({ code: 0 });
  const { siteId, vapidPublicKey } = JSON.parse(added.out);
  expect(vapidPublicKey).toBe(pair.publicKey);
  const imported = await run(["subscribers", "import", "--site", siteId, csvFile, "--json"]);
  expect(JSON.parse(imported.out)).toMatchObject({ added: 3, wrong: 1 });

  const moved = { ...publisher, siteId };
  const started = await startPlanned(app, moved);
  await deliverToEnd(app, createTestContext(app, pushService), started);
  // The push service would refuse a message that is not signed with the subscription's key.
  expect(await view(app, moved, started)).toMatchObject({ audience: 3, accepted: 3, failed: 0, reasons: [] });
  for (const { endpoint } of readers)
    expect(pushService.decrypt(endpoint)).toMatchObject([{ notification: { title: message.title } }]);
});
