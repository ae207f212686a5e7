import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { readAuditLog } from "../../src/audit/read-log.ts";
import { writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { runHere } from "./run-here.ts";

// A command takes a few seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let app: App;
let publisher: Publisher;
let other: Publisher;
let folder: string;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  other = await createPublisher(app);
  folder = await mkdtemp(join(tmpdir(), "pressbell-vapid-"));
});
afterAll(() => rm(folder, { recursive: true }));

const pressbell = (...words: string[]) => runHere(words, { ...settingsOf(app), LOG_LEVEL: "trace" });

const pair = writeVapidFile(generateVapidPair());

/** Writes a file into the folder and returns its path. */
async function put(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

test("--vapid-file creates a site with that key pair, and site vapid export prints the same", async () => {
  const file = await put("pair.json", JSON.stringify(pair));
  const of = ["--tenant", publisher.tenantId, "--name", "Moved", "--url", "https://moved.example"];
  const added = await pressbell("site", "add", ...of, "--vapid-file", file, "--json");
  expect(added).toMatchObject({ code: 0 });
  const { siteId, vapidPublicKey } = JSON.parse(added.out);
  expect(vapidPublicKey).toBe(pair.publicKey);
  const exported = await pressbell("site", "vapid", "export", "--tenant", publisher.tenantId, "--site", siteId);
  expect(exported).toMatchObject({ code: 0, out: `${JSON.stringify(pair)}\n` });
  for (const { err } of [added, exported]) expect(err).not.toContain(pair.privateKey);
  const { data } = await readAuditLog(app, publisher.actor, { query: { limit: "3" } });
  expect(data.map(({ event }) => event)).toEqual(["vapid.exported", "vapid.imported", "site.added"]);
  expect(data[0]!.by).toEqual({ kind: "operator", name: null });
});

test("site vapid export writes a file that only its owner can read, and does not overwrite one", async () => {
  const out = join(folder, "out.json");
  const write = () => pressbell("site", "vapid", "export", "--site", other.siteId, "--out", out);
  expect(await write()).toMatchObject({ code: 0, out: "" });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const text = await readFile(out, "utf8");
  expect(JSON.parse(text)).toEqual({
    publicKey: other.vapidPublicKey,
    privateKey: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(await write()).toMatchObject({ code: 1, out: "", err: expect.stringContaining("  --out must be a file") });
  expect(await readFile(out, "utf8")).toBe(text);
});

test("site vapid import replaces the key pair of a site unless it has subscribers", async () => {
  const file = await put("again.json", JSON.stringify(pair));
  const of = ["--site", publisher.siteId, "--vapid-file", file];
  const done = await pressbell("site", "vapid", "import", ...of, "--json");
  expect({ ...done, out: JSON.parse(done.out) }).toMatchObject({
    code: 0,
    out: { siteId: publisher.siteId, vapidPublicKey: pair.publicKey },
  });
  await subscribe(app, publisher.siteId, createSubscriptions(1));
  const late = await pressbell("site", "vapid", "import", ...of);
  expect(late).toMatchObject({ code: 1, out: "", err: expect.stringContaining("This site has subscribers") });
});

test("a missing file or an invalid pair is refused by its option, and no private key is printed", async () => {
  const wrong = await put("wrong.json", JSON.stringify({ ...pair, publicKey: other.vapidPublicKey }));
  const add = ["site", "add", "--tenant", publisher.tenantId, "--name", " ", "--url", "https://moved.example"];
  const [missing, imported, added] = await Promise.all([
    pressbell("site", "vapid", "import", "--site", other.siteId, "--vapid-file", join(folder, "none")),
    pressbell("site", "vapid", "import", "--site", other.siteId, "--vapid-file", wrong),
    pressbell(...add, "--vapid-file", wrong),
  ]);
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("cannot be read. Check its path.") });
  const mismatch = "  --vapid-file must have a public key that belongs to its private key\n";
  expect(imported).toMatchObject({ code: 1, out: "", err: expect.stringContaining(mismatch) });
  expect(added).toMatchObject({ code: 1, out: "", err: expect.stringContaining(mismatch) });
  expect(added.err).toContain("  --name must not be empty\n");
  for (const { err } of [imported, added]) expect(err).not.toContain(pair.privateKey);
});

test("a site that does not belong to --tenant is refused", async () => {
  const of = ["--tenant", publisher.tenantId, "--site", other.siteId];
  const file = await put("other.json", JSON.stringify(pair));
  const refusals = await Promise.all([
    pressbell("site", "vapid", "export", ...of),
    pressbell("site", "vapid", "import", ...of, "--vapid-file", file),
    pressbell("site", "vapid", "export", "--site", "x"),
  ]);
  expect(refusals.map(({ code, out }) => [code, out])).toEqual(refusals.map(() => [1, ""]));
  expect(refusals.slice(0, 2).every(({ err }) => err.includes(`has no site ${other.siteId}.`))).toBe(true);
});
