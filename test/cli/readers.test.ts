import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { siteById } from "../../src/tenants/sites/queries.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { subscriberIds } from "../runs/fixture.ts";
import { runHere } from "./run-here.ts";

// A command takes a few seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
});

const pressbell = (words: string[], settings: Record<string, string> = {}) =>
  runHere(words, { ...settingsOf(app), LOG_LEVEL: "silent", ...settings });

test("site snippet prints both lines, with PUBLIC_URL and its path", async () => {
  const { tenantId, siteId } = publisher;
  const settings = { PUBLIC_URL: "https://push.example.org/bell/" };
  const page = `<script async src="https://push.example.org/bell/sdk/pressbell.js" data-tenant="${tenantId}" data-site="${siteId}"></script>`;
  const worker = `importScripts("https://push.example.org/bell/sdk/sites/${siteId}/worker.js");`;
  const [asText, asJson] = await Promise.all([
    pressbell(["site", "snippet", "--site", siteId], settings),
    pressbell(["site", "snippet", "--site", siteId, "--json"], settings),
  ]);
  expect(asText).toMatchObject({ code: 0, err: "" });
  for (const line of [page, worker, "/pressbell-sw.js"]) expect(asText.out).toContain(line);
  expect(JSON.parse(asJson.out)).toEqual({ page, workerFile: "/pressbell-sw.js", worker });
});

test("test-device link prints a link that creates a test device, and its QR code", async () => {
  const { code, out } = await pressbell(["test-device", "link", "--site", publisher.siteId, "--label", " My phone "]);
  expect(code).toBe(0);
  const [link] = /https:\/\/news\.example\/#pressbell-test=[\w-]+/.exec(out)!;
  const drawn = out.split("\n").filter((line) => /^[█▀▄ ]{20,}$/.test(line));
  expect(drawn.length).toBeGreaterThan(15);
  expect(new Set(drawn.map((line) => line.length)).size).toBe(1);

  const reader = createReaderClient(await serve(app), publisher.siteId);
  const testToken = new URL(link).hash.replace("#pressbell-test=", "");
  expect(await reader.subscribe(createSubscriptions(1)[0]!, { testToken })).toMatchObject({
    status: 201,
    body: { isTest: true, label: "My phone" },
  });
});

test("test-device link refuses an empty label and an unknown site", async () => {
  const [empty, unknown] = await Promise.all([
    pressbell(["test-device", "link", "--site", publisher.siteId, "--label", " "]),
    pressbell(["test-device", "link", "--site", "x", "--label", "L"]),
  ]);
  expect(empty).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--label must not be empty") });
  expect(unknown).toEqual({ code: 1, out: "", err: "There is no site x. See pressbell sites list.\n" });
});

test("subscribers refused counts by push service, and deletes those excluded only", async () => {
  const { siteId } = await createPublisher(app);
  await subscribe(app, siteId, createSubscriptions(4));
  await subscribe(app, siteId, createSubscriptions(1), "phone");
  const refusedRuns = [3, 1, 0, 5, 9];
  for (const [place, id] of (await subscriberIds(app, siteId)).entries()) {
    await changeSubscribers(app, { id }, { refusedRuns: refusedRuns[place] });
  }
  const refused = (...words: string[]) => pressbell(["subscribers", "refused", "--site", siteId, "--json", ...words]);
  const pushServices = [{ pushService: "fcm", refused: 3, excluded: 2 }];
  expect(JSON.parse((await refused()).out)).toEqual({ pushServices });
  expect(JSON.parse((await refused("--delete")).out)).toEqual({ pushServices, deleted: 2 });
  expect(JSON.parse((await refused()).out)).toEqual({
    pushServices: [{ pushService: "fcm", refused: 1, excluded: 0 }],
  });
  const { rows } = await sql`select from subscribers where site_id = ${siteId}`.execute(app.db);
  expect(rows).toHaveLength(3);
  const unknown = await pressbell(["subscribers", "refused", "--site", newId(), "--delete"]);
  expect(unknown).toMatchObject({ code: 1, out: "", err: expect.stringContaining("There is no site") });
});

test("subscribers consent prints each consent of an address, and fails if it knows none", async () => {
  const [reader, stranger] = createSubscriptions(2);
  const { siteId } = publisher;
  await subscribe(app, siteId, [reader!]);
  const consent = (endpoint: string) =>
    pressbell(["subscribers", "consent", "--site", siteId, "--endpoint", endpoint, "--json"]);
  const found = await consent(reader!.endpoint);
  expect({ code: found.code, out: JSON.parse(found.out) }).toMatchObject({
    code: 0,
    out: { how: "imported", consentedAt: null, endedAt: null, texts: null },
  });
  const all = await pressbell(["subscribers", "consent", "--site", siteId]);
  expect({ code: all.code, out: all.out }).toMatchObject({ code: 0, out: expect.stringContaining('"how":"imported"') });
  const nothing = "Nothing is known of a consent at this address.\n";
  expect(await consent(stranger!.endpoint)).toEqual({ code: 1, out: "", err: nothing });
  expect(await consent("reader")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("--endpoint must be"),
  });
});

test("subscribers unseen prints its counts, and refuses an unknown site", async () => {
  const unseen = (site: string) => pressbell(["subscribers", "unseen", "--site", site, "--json"]);
  const done = await unseen(publisher.siteId);
  expect({ code: done.code, out: JSON.parse(done.out) }).toEqual({ code: 0, out: { pushServices: [] } });
  expect(await unseen(newId())).toMatchObject({ code: 1, err: expect.stringContaining("There is no site") });
});

test("site set changes the settings for readers, and prints the result", async () => {
  const { siteId } = publisher;
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
  const set = (...words: string[]) => pressbell(["site", "set", "--site", siteId, "--json", ...words]);
  const all = [
    ...["--origins", "https://m.news.example, https://amp.news.example", "--icon", "https://news.example/i.png"],
    ...["--utm-source", "pressbell", "--utm-medium", "push", "--dormant-months", "6", "--return-days", "7"],
    ...["--prompt-mode", "off", "--prompt-delay-seconds", "0", "--prompt-title", "Eilmeldungen?"],
    ...["--prompt-topics", topicId, "--prompt-from-page", "3", "--prompt-from-visit", "2"],
    ...["--prompt-scroll-percent", "60", "--prompt-only-paths", "/sport/*, /fußball", "--prompt-never-paths", "off"],
    ...["--prompt-consent", "tcf", "--prompt-languages", '{"de":{"title":"Eilmeldungen sofort?"}}'],
    ...["--prompt-other", '{"title":"Tore sofort?","fromPage":1}'],
  ];
  const done = await set(...all);
  expect(done.code).toBe(0);
  const paths = { onlyPaths: ["/sport/*", "/fu%C3%9Fball"], neverPaths: [] };
  const languages = { de: { title: "Eilmeldungen sofort?" } };
  const rule = { fromPage: 3, fromVisit: 2, scrollPercent: 60, ...paths };
  const settings = {
    origins: ["https://m.news.example", "https://amp.news.example"],
    iconUrl: "https://news.example/i.png",
    utm: { source: "pressbell", medium: "push", campaign: null },
    linkMode: "token",
    dormantMonths: 6,
    returnDays: 7,
    prompt: {
      mode: "off",
      delaySeconds: 0,
      title: "Eilmeldungen?",
      topicIds: [topicId],
      ...rule,
      languages,
      consent: "tcf",
      other: { title: "Tore sofort?", fromPage: 1 },
    },
  };
  expect(JSON.parse(done.out)).toMatchObject(settings);
  await set(
    "--prompt-languages",
    "off",
    "--prompt-other",
    "off",
    "--origins",
    "off",
    "--icon",
    "off",
    "--utm-medium",
    "off",
    "--dormant-months",
    "off",
  );
  expect(await siteById(app.db, siteId)).toMatchObject({
    origins: [],
    iconUrl: null,
    utm: { source: "pressbell", medium: null },
    dormantMonths: null,
    prompt: expect.not.objectContaining({ other: expect.anything() }),
  });
});

test("site set names each wrong option, and refuses link mode redirect without PUBLIC_URL", async () => {
  const { siteId } = publisher;
  const set = (...words: string[]) => pressbell(["site", "set", "--site", siteId, ...words]);
  const [wrong, redirect, empty] = await Promise.all([
    set("--origins", "nothing", "--utm-source", "a b", "--prompt-delay-seconds", "soon", "--dormant-months", "0"),
    set("--link-mode", "redirect"),
    set("--prompt-repeat-days", "", "--prompt-only-paths", "sport,/a b"),
  ]);
  const [noJson, tooLong, sameOther] = await Promise.all([
    set("--prompt-languages", "de"),
    set("--prompt-languages", JSON.stringify({ de: { accept: "x".repeat(41) } })),
    set("--prompt-other", '{"title":null}'),
  ]);
  expect(noJson!.err).toContain("--prompt-languages is JSON");
  expect(tooLong!.err).toContain("\n  --prompt-languages de accept must have at most 40 characters");
  expect(sameOther!.err).toContain("\n  --prompt-other must differ from the prompt\n");
  for (const option of ["--origins", "--utm-source", "--prompt-delay-seconds", "--dormant-months"]) {
    expect(wrong!.err).toContain(`\n  ${option} must be`);
  }
  expect(wrong!.err).toContain("\n  --origins must be origins such as https://m.news.example: nothing\n");
  expect(redirect!.code).toBe(1);
  expect(redirect!.err).toContain(
    "\n  --link-mode redirect needs PUBLIC_URL: set it to where browsers reach this service\n",
  );
  expect(empty!.err).toContain("\n  --prompt-repeat-days must be");
  expect(empty!.err).toContain("\n  --prompt-only-paths must be paths such as /sport/* of at most 200 characters\n");
});
