import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { row, rows } from "../../src/db/pool.ts";
import { closeRun } from "../../src/runs/close-run.ts";
import { sendCampaign } from "../../src/sends/send-campaign.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { countSubscribers } from "../../src/subscribers/queries.ts";
import { openVapidKey } from "../../src/tenants/vapid/vapid-pair.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { endBatches } from "../fixtures/rows/runs.ts";
import { planAll } from "../runs/fixture.ts";
import type { Printed } from "./run-command.ts";
import { runHere } from "./run-here.ts";

// A command takes a few seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let app: App;
let publisher: Publisher;
let folder: string;

beforeAll(async () => {
  app = await openTestApp({ PLANS: '{"free":{"audienceCap":1000},"large":{}}' });
  publisher = await createPublisher(app);
  folder = await mkdtemp(join(tmpdir(), "pressbell-cli-"));
  return () => rm(folder, { recursive: true });
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const unknownId = "019a0000-0000-7000-8000-000000000000";

/** Runs a command with the database and the plans of `app`. */
function pressbell(...words: string[]): Promise<Printed> {
  return runHere(words, { ...settingsOf(app), PLANS: '{"free":{"audienceCap":1000},"large":{}}' });
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
async function json(...words: string[]): Promise<any> {
  const { code, out, err } = await pressbell(...words, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^\{[^\n]*\}\n$/);
  return JSON.parse(out);
}

/** Returns all rows of the database as text, bytes as hex. */
async function dump(): Promise<string> {
  const tables = await rows(
    sql<{ name: string }>`select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
    app.db,
  );
  const texts = tables.map(({ name }) =>
    row(sql<{ text: string | null }>`select string_agg(t::text, E'\n') as text from ${sql.raw(name)} t`, app.db),
  );
  return (await Promise.all(texts)).map((table) => table!.text ?? "").join("\n");
}

const password = "a long password of the owner";

const provision = (...more: string[]) => {
  const words = ["--tenant", "Tribune", "--site", "Tribune Online", "--site-url", "https://tribune.example"];
  return ["provision", ...words, "--owner", "Desk@Tribune.example", "--password", password, ...more];
};

describe("provision", () => {
  test("prints ids, key and public key as one line of JSON, and keeps no secret readable", async () => {
    const made = await json(...provision("--accept-dpa", "--plan", "large"));
    expect(made).toEqual({
      tenantId: expect.stringMatching(uuid),
      siteId: expect.stringMatching(uuid),
      keyId: expect.stringMatching(uuid),
      apiKey: expect.stringMatching(/^pbk_[0-9A-Za-z]{38}$/),
      ownerEmail: "desk@tribune.example",
      vapidPublicKey: expect.stringMatching(/^B[\w-]{86}$/),
    });
    const tenant = await row(
      sql`select name, plan, dpa_accepted_at is not null as dpa from tenants where id = ${made.tenantId}`,
      app.db,
    );
    expect(tenant).toEqual({ name: "Tribune", plan: "large", dpa: true });

    const held = await dump();
    expect(held).not.toContain(made.apiKey);
    expect(held).toContain(createHash("sha256").update(made.apiKey).digest("hex"));
    expect(held).not.toContain(password);
    const site = await row(
      sql<{ sealed: Buffer }>`select vapid_private_key_sealed as sealed from sites where id = ${made.siteId}`,
      app.db,
    );
    const privateKey = openVapidKey(app.secrets, made.siteId, site!.sealed);
    for (const encoding of ["hex", "base64", "base64url"] as const)
      expect(held).not.toContain(privateKey.toString(encoding));
  });

  test("of a second tenant with the same owner keeps the existing password, and logs that", async () => {
    const { code, out, err } = await pressbell(...provision("--json", "--existing-account"));
    expect(code).toBe(0);
    expect(err).toContain("desk@tribune.example exists already: the password is left as it was");
    const owners = await row(
      sql<{ users: number; accounts: number; tenants: number; dpa: number }>`select count(distinct u.id) as users,
          count(distinct a.password) as accounts, count(distinct m.tenant_id) as tenants,
          count(distinct t.id) filter (where t.dpa_accepted_at is not null) as dpa
        from users u join accounts a on a.user_id = u.id join members m on m.user_id = u.id join tenants t on t.id = m.tenant_id
        where u.email = ${JSON.parse(out).ownerEmail} and m.role = 'owner'`,
      app.db,
    );
    // The second tenant was provisioned without --accept-dpa.
    expect(owners).toEqual({ users: 1, accounts: 1, tenants: 2, dpa: 1 });
  });

  test("refuses a wrong value by the option's name, and creates nothing", async () => {
    const before = await dump();
    const refusals = await Promise.all([
      pressbell(...provision("--existing-account"), "--tenant", " "),
      pressbell(...provision("--existing-account"), "--owner", "tribune.example"),
      pressbell(...provision("--existing-account"), "--owner", "other@tribune.example", "--password", "short"),
      pressbell(...provision("--existing-account"), "--site", " "),
      pressbell(...provision("--existing-account"), "--site-url", "tribune.example"),
      pressbell(...provision("--existing-account"), "--plan", "gold"),
    ]);
    expect(refusals.map(({ err }) => err.split("\n")[1])).toEqual([
      "  --tenant must not be empty",
      "  --owner must be an e-mail address",
      "  --password must have at least 8 characters",
      "  --site must not be empty",
      "  --site-url must be an http(s) URL",
      "  --plan must be a plan that PLANS names: free, large",
    ]);
    expect(refusals.map(({ code, out }) => [code, out])).toEqual(refusals.map(() => [1, ""]));
    expect(await dump()).toBe(before);
  });
});

describe("tenant set", () => {
  test("changes only the options that are given", async () => {
    const of = (...words: string[]) => json("tenant", "set", "--tenant", publisher.tenantId, ...words);
    const { tenantId } = publisher;
    expect(await of()).toEqual({
      tenantId,
      name: "Publisher",
      plan: "free",
      paused: false,
      dpaAccepted: true,
      confirmAbove: null,
      requiresSecondFactor: false,
      siteLimit: 100,
      topicLimit: 200,
    });
    expect(await of("--pause", "on", "--plan", "large")).toMatchObject({
      plan: "large",
      paused: true,
      dpaAccepted: true,
    });
    expect(await of("--dpa", "off", "--name", "Tribune")).toMatchObject({
      name: "Tribune",
      paused: true,
      dpaAccepted: false,
    });
    expect(await of("--dpa", "on", "--pause", "off", "--plan", "free", "--name", "Publisher")).toMatchObject({
      paused: false,
      dpaAccepted: true,
    });
  });

  test("refuses an unknown tenant, an unknown plan and a switch that is neither on nor off", async () => {
    const [unknown, plan, pause] = (await Promise.all([
      pressbell("tenant", "set", "--tenant", unknownId),
      pressbell("tenant", "set", "--tenant", publisher.tenantId, "--plan", "gold"),
      pressbell("tenant", "set", "--tenant", publisher.tenantId, "--pause", "yes"),
    ])) as [Printed, Printed, Printed];
    expect(unknown).toEqual({
      code: 1,
      out: "",
      err: `There is no tenant ${unknownId}. See pressbell tenants list.\n`,
    });
    expect(plan).toMatchObject({
      code: 1,
      err: expect.stringContaining("  --plan must be a plan that PLANS names: free, large\n"),
    });
    expect(pause).toMatchObject({ code: 2, err: expect.stringMatching(/^--pause is on or off\n\nUsage: /) });
  });
});

describe("sites and topics", () => {
  test("site add creates a site with its own VAPID key pair, site set pauses it", async () => {
    const site = await json(
      "site",
      "add",
      "--tenant",
      publisher.tenantId.toUpperCase(),
      "--name",
      "S",
      "--url",
      "https://s.example",
    );
    expect(site).toEqual({
      siteId: expect.stringMatching(uuid),
      vapidPublicKey: expect.stringMatching(/^B[\w-]{86}$/),
    });
    expect(site.vapidPublicKey).not.toBe(publisher.vapidPublicKey);
    expect(await json("site", "set", "--site", site.siteId, "--pause", "on")).toMatchObject({
      siteId: site.siteId,
      paused: true,
    });
  });

  test("site add and site set refuse unknown ids and wrong values", async () => {
    const [url, unknown, nothing, hours, allDay] = (await Promise.all([
      pressbell("site", "add", "--tenant", publisher.tenantId, "--name", "S", "--url", "s.example"),
      pressbell("site", "set", "--site", unknownId, "--pause", "on"),
      pressbell("site", "set", "--site", publisher.siteId),
      pressbell("site", "set", "--site", publisher.siteId, "--daily-limit", "0", "--quiet-hours", "9-10"),
      pressbell("site", "set", "--site", publisher.siteId, "--quiet-hours", "22:00-22:00"),
    ])) as [Printed, Printed, Printed, Printed, Printed];
    expect(url).toMatchObject({ code: 1, err: expect.stringContaining("  --url must be an http(s) URL\n") });
    expect(unknown).toEqual({ code: 1, out: "", err: `There is no site ${unknownId}. See pressbell sites list.\n` });
    expect(nothing).toMatchObject({ code: 2, err: expect.stringMatching(/^say what to set\n\nUsage: /) });
    expect(hours.err.split("\n").slice(1)).toEqual([
      "  --daily-limit must be a whole number from 1 to 1,000",
      "  --quiet-hours must be such as 22:00-07:00, or off",
      "",
    ]);
    expect(allDay.err).toContain("\n  --quiet-hours must not begin and end at the same time\n");
  });

  test("topics add prints the topic's id, and refuses a name that is taken and an empty one", async () => {
    const add = ["topics", "add", "--site", publisher.siteId, "--name"];
    expect(await json(...add, "Politics")).toEqual({ topicId: expect.stringMatching(uuid) });
    const [taken, empty] = (await Promise.all([pressbell(...add, " Politics "), pressbell(...add, " ")])) as [
      Printed,
      Printed,
    ];
    expect(taken).toMatchObject({
      code: 1,
      err: expect.stringContaining("  --name is the name of another topic of this site"),
    });
    expect(empty).toMatchObject({ code: 1, err: expect.stringContaining("  --name must not be empty\n") });
  });
});

describe("segments", () => {
  test("segments are added, listed with their readers and retired; a wrong rule is refused", async () => {
    const site = ["--site", publisher.siteId];
    const add = ["segments", "add", ...site, "--name", "New here", "--rule"];
    const { segmentId } = await json(...add, '{"subscribedWithinDays":7}');
    const listed = { segmentId, name: "New here", rule: { subscribedWithinDays: 7 } };
    expect(await json("segments", "list", ...site)).toMatchObject({ ...listed, exact: true });
    const [wrong, noJson, unknown] = (await Promise.all([
      pressbell(...add, '{"subscribedWithinDays":0}'),
      pressbell(...add, "subscribedWithinDays"),
      pressbell("segments", "retire", publisher.siteId, ...site),
    ])) as [Printed, Printed, Printed];
    expect(wrong.err).toContain("  --rule subscribedWithinDays must be a whole number from 1 to 3,650\n");
    expect(noJson).toMatchObject({ code: 2, err: expect.stringContaining("--rule is JSON, such as ") });
    expect(unknown).toMatchObject({ code: 1, err: "This segment is gone.\n" });
    expect(await json("segments", "retire", segmentId, ...site)).toEqual({ segmentId, retired: true });
    expect(await pressbell("segments", "list", ...site)).toEqual({
      code: 0,
      out: "",
      err: "This site has no segments.\n",
    });
  });
});

describe("welcome", () => {
  const write = async (content: string): Promise<string> => {
    const file = join(folder, "welcome.json");
    await writeFile(file, content);
    return file;
  };
  const step = { afterDays: 0, title: "Welcome", body: "Good to have you.", url: "https://news.example/" };

  test("set reads it from a file, show prints what set reads, and off keeps the texts", async () => {
    const of = ["--site", publisher.siteId];
    const saved = await json("welcome", "set", ...of, await write(JSON.stringify({ enabled: true, steps: [step] })));
    expect(saved).toEqual({ enabled: true, steps: [{ ...step, imageUrl: null, topicId: null, onlyUnclicked: false }] });
    expect(await json("welcome", "show", ...of)).toEqual(saved);
    expect(await json("welcome", "off", ...of)).toEqual({ ...saved, enabled: false });
    expect(await json("welcome", "set", ...of, await write(JSON.stringify(saved)))).toEqual(saved);
  });

  test("set names each fault of the file, and a file that it cannot use", async () => {
    const set = async (file: string) => (await pressbell("welcome", "set", "--site", publisher.siteId, file)).err;
    const wrong = await set(await write(JSON.stringify({ enabled: true, steps: [{ ...step, title: "" }, step] })));
    expect(wrong).toContain("steps 0 title must not be empty\n");
    expect(await set(await write("{"))).toContain("FILE is no JSON\n");
    expect(await set(join(folder, "none.json"))).toContain("cannot be read. Check its path.");
  });
});

describe("subscribers import", () => {
  const importOf = (...words: string[]) => pressbell("subscribers", "import", "--site", ...words);

  async function fileOf(lines: unknown[]): Promise<string> {
    const file = join(await mkdtemp(join(folder, "import-")), "subscribers.ndjson");
    await writeFile(file, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
    return file;
  }

  test("reports wrong lines on stderr, counts on stdout, and refuses wrong files and options", async () => {
    const [first, second] = createSubscriptions(2);
    const file = await fileOf([first, "nonsense", second]);
    const [good, missing, directory, label, unknown] = (await Promise.all([
      importOf(publisher.siteId, file),
      importOf(publisher.siteId, join(folder, "missing")),
      importOf(publisher.siteId, folder),
      importOf(publisher.siteId, "--test-label", " ", file),
      importOf(unknownId, file),
    ])) as [Printed, Printed, Printed, Printed, Printed];
    const out = "lines: 3\nadded: 2\nchanged: 0\nunchanged: 0\nwrong: 1\n";
    expect(good).toEqual({ code: 0, out, err: "line 2: is not valid JSON\n" });
    const unread = (path: string) => ({ code: 1, out: "", err: `The file ${path} cannot be read. Check its path.\n` });
    expect(missing).toEqual(unread(join(folder, "missing")));
    expect(directory).toEqual(unread(folder));
    expect(label).toMatchObject({ code: 2, err: expect.stringMatching(/^--test-label must not be empty\n\n/) });
    expect(unknown).toEqual({ code: 1, out: "", err: `There is no site ${unknownId}. See pressbell sites list.\n` });
  });

  test("exits with 1 if every line is wrong, and with 0 if one is known already or there is none", async () => {
    const [known] = createSubscriptions(1);
    await importOf(publisher.siteId, await fileOf([known]));
    const [wrong, repeated, empty] = (await Promise.all([
      importOf(publisher.siteId, await fileOf(["nonsense", "", "{}"])),
      importOf(publisher.siteId, await fileOf([known, "nonsense"])),
      importOf(publisher.siteId, await fileOf([""])),
    ])) as [Printed, Printed, Printed];
    expect(wrong).toMatchObject({ code: 1, out: "lines: 3\nadded: 0\nchanged: 0\nunchanged: 0\nwrong: 2\n" });
    expect(repeated).toMatchObject({ code: 0, out: "lines: 2\nadded: 0\nchanged: 0\nunchanged: 1\nwrong: 1\n" });
    expect(empty).toMatchObject({ code: 0, err: "" });
  });

  test("with a label changes no reader, and warns if a test will not reach all test devices", async () => {
    const { siteId } = await createPublisher(app);
    const readers = await fileOf(createSubscriptions(2));
    await importOf(siteId, readers);
    const { code, err } = await importOf(siteId, "--test-label", "Desk", readers);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^line 1: is a reader of this site: .*test-device link.*\nline 2: is a reader of this site: .*\n$/,
    );
    expect(await countSubscribers(app.db, siteId, everybody, 10)).toBe(2);

    const fifty = await importOf(siteId, "--test-label", "Desk", await fileOf(createSubscriptions(50)));
    expect(fifty).toMatchObject({ code: 0, err: "" });
    const more = await importOf(siteId, "--test-label", "Desk", await fileOf(createSubscriptions(1)));
    expect(more.code).toBe(0);
    expect(more.err).toMatch(
      /^This site has more than 50 test devices: a test send reaches the 50 that came first\..*\n$/,
    );
  });
});

describe("runs", () => {
  test("list shows open runs, stop stops one, and a second stop changes nothing", async () => {
    expect(await pressbell("runs", "list")).toEqual({ code: 0, out: "", err: "Nothing is being sent.\n" });
    const runId = await startRun();
    const line = { runId, tenant: "Publisher", site: "Site", status: "sending", heldBy: null };
    const listed = JSON.parse((await pressbell("runs", "list", "--json")).out);
    expect(listed).toMatchObject({ ...line, pending: listed.audience, accepted: 0 });
    const { out } = await pressbell("runs", "list");
    expect(out).toContain(`runId=${runId} tenant=Publisher site=Site status=sending`);

    expect(await json("runs", "stop", runId)).toMatchObject({ runId, status: "stopping", accepted: 0 });
    expect(await json("runs", "stop", runId)).toMatchObject({ runId, status: "stopping" });
    const unknown = await pressbell("runs", "stop", unknownId);
    expect(unknown).toEqual({ code: 1, out: "", err: `There is no run ${unknownId}. See pressbell runs list.\n` });
  });

  test("stop of a run that has completed is refused", async () => {
    const runId = await startRun();
    await endBatches(app, { run: runId });
    await closeRun(app.db, { siteId: publisher.siteId, runId });
    const { code, out, err } = await pressbell("runs", "stop", runId);
    expect({ code, out, err }).toEqual({ code: 1, out: "", err: "This run is completed already.\n" });
  });
});

/** Starts and plans a live run. No worker delivers it. */
async function startRun(): Promise<string> {
  const { actor, siteId } = publisher;
  await subscribe(app, siteId, createSubscriptions(3));
  const body = { siteId, mode: "manual", url: "https://news.example/a", title: "Title", body: "Body" };
  const { campaignId } = await createCampaign(app, actor, { body, idempotencyKey: null });
  const { runId } = await sendCampaign(app, actor, { campaignId, idempotencyKey: null });
  await planAll(app);
  return runId;
}

test("migrate on a database that is up to date changes nothing", async () => {
  expect(await json("migrate")).toEqual({ schema: "up to date" });
});

test("a command with a SECRET_KEY that did not seal this database exits with one line", async () => {
  const settings = { ...settingsOf(app), SECRET_KEY: "another key, just as long as the right one" };
  const { code, out, err } = await runHere(["runs", "list"], settings);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^Wrong setting: SECRET_KEY is not the one that sealed the keys in this database\..*\n$/);
});
