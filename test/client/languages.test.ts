import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { endRuns, sendToReader } from "../campaigns/fixture.ts";
import { readPage } from "../docs/pages.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { type ClientFixture, openClientFixture } from "./fixture.ts";
import { installed, languages, type Name, names, pathOf, runText, type Setting, type Texts } from "./programs.ts";

if (process.env.CI) test("CI has both languages", () => expect(installed).toEqual(names));

let fixture: ClientFixture;
beforeAll(async () => {
  fixture = await openClientFixture();
});
beforeEach(() => {
  fixture.faults.length = 0;
  fixture.requests.length = 0;
});

/** Runs a program in a process, after the start of its language. Returns what it shows. Fails if the program fails. */
async function run(name: Name, texts: Texts, setting?: Setting) {
  const ended = await runText(fixture, name, languages[name].start + texts[name], setting);
  expect(ended.stderr).toBe("");
  return JSON.parse(ended.stdout);
}

const send = { PHP: "show($pressbell->sendCampaign($id));", Python: "show(pressbell.send_campaign(id))" };
const read = {
  PHP: "show(thrown(fn () => $pressbell->readCampaign($id)));",
  Python: "show(thrown(lambda: pressbell.read_campaign(id)))",
};
const runsOf = (campaignId: string) =>
  sql`select id from runs where campaign_id = ${campaignId}`.execute(fixture.app.db).then(({ rows }) => rows.length);
const keys = () => [...new Set(fixture.requests.map(({ key }) => key))];
const limited = (retryAfter: string) => ({
  status: 429,
  headers: { "retry-after": retryAfter },
  body: '{"code":"rate_limited","message":"Wait."}',
});

test.each(installed)(
  "a send whose answer is lost is repeated with one key, and one run starts, in %s",
  async (name) => {
    for (const fault of ["dropAnswer", "loseAnswer"] as const) {
      const id = await fixture.draft();
      fixture.requests.length = 0;
      fixture.faults.push(fault, fault);
      expect(await run(name, send, { id })).toMatchObject({ campaignId: id, duplicate: true });
      expect(fixture.requests).toHaveLength(3);
      expect(keys()).toEqual([expect.stringMatching(/^[\da-f-]{32,36}$/)]);
      expect(await runsOf(id)).toBe(1);
    }
  },
);

const createAndSend = (key: string) => ({
  PHP: `show($pressbell->createAndSend($fields${key && `, "${key}"`}));`,
  Python: `show(pressbell.create_and_send(fields${key && `, "${key}"`}))`,
});

test.each(installed)("a lost answer creates and sends nothing twice where one call does both, in %s", async (name) => {
  const externalId = `lost in ${name}`;
  fixture.faults.push("dropAnswer", "loseAnswer");
  const sent = await run(name, createAndSend(""), { fields: { externalId } });
  expect(sent).toMatchObject({ externalId, runId: expect.any(String), status: "sent" });
  expect(fixture.requests.map(({ line }) => line.split("/").at(-1))).toEqual([...Array(3).fill("campaigns"), "send"]);
  expect(keys()).toHaveLength(1);
  expect((await fixture.client.campaigns.listPage({ externalId })).data).toHaveLength(1);
  expect(await runsOf(sent.campaignId)).toBe(1);
});

test.each(installed)("two processes with the same key send once, in %s", async (name) => {
  const first = await run(name, createAndSend(`article-${name}`));
  const second = await run(name, createAndSend(`article-${name}`));
  expect(second).toMatchObject({ campaignId: first.campaignId, runId: first.runId, duplicate: true });
  expect(await runsOf(first.campaignId)).toBe(1);
});

test.each(installed)("a process with the key of one that ended after the creation sends, in %s", async (name) => {
  const create = {
    PHP: "show($pressbell->createCampaign($fields, $id));",
    Python: "show(pressbell.create_campaign(fields, id))",
  };
  const key = `crash-${name}`;
  const { campaignId } = await run(name, create, { id: key });
  expect(await run(name, createAndSend(key))).toMatchObject({ campaignId, status: "sent", duplicate: false });
});

test.each(installed)("what would happen twice is not repeated after a lost answer, in %s", async (name) => {
  const id = await fixture.draft();
  const calls: [string, Texts][] = [
    ["", { PHP: 'changeCampaign($id, ["title" => "Open"])', Python: 'change_campaign(id, {"title": "Open"})' }],
    ["/schedule", { PHP: 'scheduleCampaign($id, new DateTime("+1 hour"))', Python: "schedule_campaign(id, soon)" }],
    ["/test", { PHP: "testCampaign($id)", Python: "test_campaign(id)" }],
    ["/cancel", { PHP: "cancelCampaign($id)", Python: "cancel_campaign(id)" }],
    ["/updates", { PHP: 'updateCampaign($id, ["title" => "1:0"])', Python: 'update_campaign(id, {"title": "1:0"})' }],
  ];
  fixture.faults.push(...calls.map(() => "dropAnswer" as const));
  const texts = {
    PHP: `show([${calls.map(([, { PHP }]) => `thrown(fn () => $pressbell->${PHP})[0]`)}]);`,
    Python: `soon = datetime.now(timezone.utc) + timedelta(hours=1)
show([${calls.map(([, { Python }]) => `thrown(lambda: pressbell.${Python})[0]`)}])`,
  };
  expect(await run(name, texts, { id })).toEqual(calls.map(() => "Pressbell\\ConnectionError"));
  expect(fixture.requests.map(({ line }) => line.split(id)[1])).toEqual(calls.map(([verb]) => verb));
  // The service had accepted the calls.
  expect(await fixture.read(id)).toMatchObject({ status: "cancelled", title: "Open" });
});

test.each(installed)("a silent service counts as a lost answer after the time for an attempt, in %s", async (name) => {
  const id = await fixture.draft();
  fixture.faults.push("silence");
  expect(await run(name, send, { id, options: { timeoutSeconds: 1 } })).toMatchObject({ duplicate: true });
  expect(await runsOf(id)).toBe(1);
  fixture.faults.push("silence");
  const [kind, message] = await run(name, read, { id, options: { timeoutSeconds: 0.2, retries: 0 } });
  expect(kind).toBe("Pressbell\\ConnectionError");
  expect(message).toContain("did not answer within 0.2 s");
});

test.each(installed)("a read whose answer breaks off is repeated, in %s", async (name) => {
  const id = await fixture.draft();
  fixture.faults.push({ status: 200, headers: { "content-length": "1000", connection: "close" }, body: '{"a":1}' });
  const texts = { PHP: "show($pressbell->readCampaign($id));", Python: "show(pressbell.read_campaign(id))" };
  expect(await run(name, texts, { id })).toMatchObject({ campaignId: id });
  expect(fixture.requests).toHaveLength(2);
});

test.each(installed)("a limited call is repeated when Retry-After says, but not after an hour, in %s", async (name) => {
  const id = await fixture.draft();
  fixture.faults.push(limited("1"), limited("0"));
  const texts = {
    PHP: "$t = microtime(true); show([$pressbell->cancelCampaign($id)['status'], microtime(true) - $t]);",
    Python: 't = time.monotonic(); show([pressbell.cancel_campaign(id)["status"], time.monotonic() - t])',
  };
  const [status, seconds] = await run(name, texts, { id });
  expect(status).toBe("cancelled");
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(fixture.requests).toHaveLength(3);

  fixture.requests.length = 0;
  fixture.faults.push(limited(new Date(Date.now() + 3_600_000).toUTCString()));
  const [kind, code, , , , retryAfter] = await run(name, read, { id });
  expect([kind, code]).toEqual(["Pressbell\\PressbellError", "rate_limited"]);
  expect(retryAfter).toBeGreaterThan(3_500);
  expect(fixture.requests).toHaveLength(1);
});

test.each(installed)(
  "a service that stays away is asked a few times; its last failure is thrown, in %s",
  async (name) => {
    const away = { status: 503, headers: { "retry-after": "0" }, body: "<h1>Busy</h1>" };
    fixture.faults.push(away, away, away);
    const thrown = await run(name, read, { options: { retries: 2 } });
    expect(thrown.slice(0, 3)).toEqual(["Pressbell\\PressbellError", "unexpected_answer", 503]);
    expect(fixture.requests).toHaveLength(3);
  },
);

test.each(installed)("each refusal is an exception of its kind, with faults and details, in %s", async (name) => {
  const id = await fixture.draft();
  await fixture.post(id, "cancel");
  const texts = {
    PHP: `show([
      thrown(fn () => $pressbell->createCampaign(["title" => "", "ttlSeconds" => 1] + $fields)),
      thrown(fn () => $pressbell->sendCampaign($id)),
      thrown(fn () => connect(["tenantId" => getenv("OTHER_TENANT")])->listSitesPage()),
      thrown(fn () => connect(["apiKey" => "pbk_wrong"])->readCampaign($id)),
      thrown(fn () => $pressbell->readCampaign("a/../b?c")),
    ]);`,
    Python: `show([
      thrown(lambda: pressbell.create_campaign({**fields, "title": "", "ttlSeconds": 1})),
      thrown(lambda: pressbell.send_campaign(id)),
      thrown(lambda: connect(tenant_id=os.environ["OTHER_TENANT"]).list_sites_page()),
      thrown(lambda: connect(api_key="pbk_wrong").read_campaign(id)),
      thrown(lambda: pressbell.read_campaign("a/../b?c")),
    ])`,
  };
  const { tenantId: otherTenant } = await createPublisher(fixture.app);
  const thrown: unknown[][] = await run(name, texts, { id, otherTenant });
  expect(thrown.map((each) => each.slice(0, 3))).toEqual([
    ["Pressbell\\ValidationError", "validation_failed", 400],
    ["Pressbell\\ConflictError", "illegal_transition", 409],
    ["Pressbell\\ForbiddenError", "tenant_mismatch", 403],
    ["Pressbell\\AuthenticationError", "unauthenticated", 401],
    ["Pressbell\\PressbellError", "not_found", 404],
  ]);
  expect((thrown[0]![3] as { path: string }[]).map(({ path }) => path)).toEqual(["/ttlSeconds", "/title"]);
  expect(thrown[1]![4]).toMatchObject({ from: "cancelled", to: "sending" });
  for (const each of thrown) expect(each[6]).toMatch(/^[\da-f-]{36}$/);
  expect(fixture.requests).toHaveLength(5);
});

test.each(installed)("a redirect, a page and JSON of a proxy are no answers; none is followed, in %s", async (name) => {
  const answers = [
    { status: 301, headers: { location: `${fixture.url}/elsewhere` } },
    { status: 200, body: "Hi" },
    { status: 400, body: '{"message":"No","code":7}' },
  ];
  for (const answer of answers) {
    fixture.faults.push(answer);
    const thrown = await run(name, read);
    expect(thrown.slice(0, 3)).toEqual(["Pressbell\\PressbellError", "unexpected_answer", answer.status]);
    expect(thrown[7]).toContain("Check the service's address");
  }
  expect(fixture.requests).toHaveLength(answers.length);
});

test.each(installed)("wrong options, keys and fields are refused before a request, in %s", async (name) => {
  const texts = {
    PHP: `show([
      thrown(fn () => connect(["url" => "push.example.org"])),
      thrown(fn () => connect(["url" => "ftp://push.example.org"])),
      thrown(fn () => connect(["tenantId" => ""])),
      thrown(fn () => connect(["apiKey" => "pbk_two\\nlines"])),
      thrown(fn () => connect(["timeoutSeconds" => 0])),
      thrown(fn () => $pressbell->sendCampaign("x", "größe")),
      thrown(fn () => $pressbell->createCampaign(["title" => "\\xff"])),
    ]);`,
    Python: `show([
      thrown(lambda: connect(url="push.example.org")),
      thrown(lambda: connect(url="ftp://push.example.org")),
      thrown(lambda: connect(tenant_id="")),
      thrown(lambda: connect(api_key="pbk_two\\nlines")),
      thrown(lambda: connect(timeout_seconds=0)),
      thrown(lambda: pressbell.send_campaign("x", "größe")),
      thrown(lambda: pressbell.schedule_campaign("x", datetime.now())),
    ])`,
  };
  const thrown: string[][] = await run(name, texts);
  expect(thrown.map(([kind]) => kind)).toEqual(
    Array(7).fill({ PHP: "InvalidArgumentException", Python: "ValueError" }[name]),
  );
  expect(JSON.stringify(thrown)).not.toContain("pbk_two");
  expect(fixture.requests).toHaveLength(0);
});

test.each(installed)("the key is in no printed client and no failure that nobody catches, in %s", async (name) => {
  const texts = {
    PHP: [
      "var_dump($pressbell); print_r($pressbell); $pressbell->readCampaign('x');",
      'var_dump($pressbell); connect(["url" => "x"]);',
      "serialize($pressbell);",
    ],
    Python: [
      "print(pressbell, repr(pressbell)); pressbell.read_campaign('x')",
      'connect(url="x")',
      "import pickle; pickle.dumps(pressbell)",
    ],
  };
  for (const text of texts[name]) {
    const { stdout, stderr, isFailed } = await runText(fixture, name, languages[name].start + text, {
      apiKey: "pbk_secret",
    });
    expect(isFailed).toBe(true);
    expect(stderr).not.toBe("");
    expect(stdout + stderr).not.toContain("pbk_secret");
  }
});

test.each(installed)("a list is read page by page as far as its reader goes, in %s", async (name) => {
  const externalId = `paged & more in ${name}`;
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(await fixture.draft({ externalId }));
  const filter = {
    PHP: '["externalId" => $fields["externalId"], "limit" => 2]',
    Python: '{"externalId": fields["externalId"], "limit": 2}',
  };
  const all = {
    PHP: `show(array_column(iterator_to_array($pressbell->listCampaigns(${filter.PHP}), false), "campaignId"));`,
    Python: `show([each["campaignId"] for each in pressbell.list_campaigns(${filter.Python})])`,
  };
  expect(await run(name, all, { fields: { externalId } })).toEqual(ids);
  expect(fixture.requests).toHaveLength(3);
  const first = {
    PHP: `foreach ($pressbell->listCampaigns(${filter.PHP}) as $each) { show($each["campaignId"]); break; }`,
    Python: `show(next(pressbell.list_campaigns(${filter.Python}))["campaignId"])`,
  };
  expect(await run(name, first, { fields: { externalId } })).toBe(ids[0]);
  expect(fixture.requests).toHaveLength(4);
  const sites = {
    PHP: 'show(array_column(iterator_to_array($pressbell->listSites(), false), "siteId"));',
    Python: 'show([each["siteId"] for each in pressbell.list_sites()])',
  };
  expect(await run(name, sites)).toEqual([fixture.publisher.siteId]);
});

test.each(installed)("a wait ends with the run or when its time is up, in %s", async (name) => {
  const { runId: id } = (await sendToReader(fixture, await fixture.draft())).body;
  const late = {
    PHP: "show(thrown(fn () => $pressbell->waitForRun($id, 0.1)));",
    Python: "show(thrown(lambda: pressbell.wait_for_run(id, 0.1)))",
  };
  expect((await run(name, late, { id }))[0]).toBe("Pressbell\\WaitTimeout");

  fixture.requests.length = 0;
  const wait = {
    PHP: `$seen = [];
      $pressbell->waitForRun($id, onProgress: function ($run) use (&$seen) { $seen[] = $run["status"]; });
      show($seen);`,
    Python: 'seen = []; pressbell.wait_for_run(id, on_progress=lambda run: seen.append(run["status"])); show(seen)',
  };
  const waiting = run(name, wait, { id });
  await eventually(async () => fixture.requests.length >= 2);
  await endRuns(fixture.app);
  const seen: string[] = await waiting;
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toBe("completed");
});

test.each(installed)("a stop whose answer is lost is repeated, and the run is in the list, in %s", async (name) => {
  const other = (await sendToReader(fixture, await fixture.draft())).body.runId;
  fixture.faults.push("dropAnswer");
  const stop = { PHP: "show($pressbell->stopRun($id));", Python: "show(pressbell.stop_run(id))" };
  expect(["stopping", "stopped"]).toContain((await run(name, stop, { id: other })).status);
  await endRuns(fixture.app);
  const runs = {
    PHP: 'show(array_column(iterator_to_array($pressbell->listRuns(["limit" => 1]), false), "runId"));',
    Python: 'show([each["runId"] for each in pressbell.list_runs({"limit": 1})])',
  };
  expect((await run(name, runs))[0]).toBe(other);
});

test.each(installed)("the example of docs/client.md runs, in %s", async (name) => {
  const { fence, file } = languages[name];
  const [, example] = new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\``, "ms").exec(await readPage("docs/client.md"))!;
  const { stdout, stderr } = await runText(fixture, name, example!.replace('"Pressbell.php"', `"${pathOf(file)}"`));
  expect(stderr).toBe("");
  expect(stdout.trim()).toBe("completed 0");
  expect(keys()).toContain("article-4711");
});

test("both clients have the same calls, each in the convention of its language", async () => {
  const [php, python] = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(pathOf(languages[name].file), "utf8");
      return [...text.slice(text.indexOf("class Client")).matchAll(languages[name].methods)].map(
        ([, method]) => method!,
      );
    }),
  );
  expect(php!.map((each) => each.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))).toEqual(python);
});
