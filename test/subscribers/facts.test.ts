import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { everybody, isOfAudience } from "../../src/subscribers/audience.ts";
import { cutUndeclaredFacts } from "../../src/subscribers/facts/cut-facts.ts";
import { addSegment, countSegment } from "../../src/subscribers/segments/segments.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { insertSubscribers } from "../fixtures/rows/subscribers.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let readers: ReturnType<typeof createSubscriptions>;

const plan = { name: "plan", label: "Your plan", values: ["free", "paid"] };
const region = { name: "region", label: "region", values: ["north", "south"] };

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

/** Creates a site with two declared facts, and three readers. */
beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  publisher = await createPublisher(app);
  await declare([plan, { name: "region", values: region.values }]);
  readers = createSubscriptions(3);
  await subscribe(app, publisher.siteId, readers);
});

const declare = (facts: unknown[], { actor, siteId } = publisher) =>
  changeSite(app, actor, { siteId, facts: facts as (typeof plan)[] });

const ask = (body: object, at = 0, siteId = publisher.siteId) => {
  const { endpoint, keys } = readers[at]!;
  return createReaderClient(api, siteId).post("preferences", { endpoint, auth: keys.auth, ...body });
};

/** Returns the facts that the reader sees after a change. */
const told = async (body: object = {}, at = 0) => (await ask(body, at)).body.facts;

const stored = async () =>
  (
    await rows(
      sql<{ facts: object | null }>`select facts from subscribers where site_id = ${publisher.siteId} order by id`,
      app.db,
    )
  ).map(({ facts }) => facts);

const faultsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    ({ details }) => details.errors.map(({ path }: { path: string }) => path),
  );

const count = async (facts: Record<string, string[]>) =>
  (await countSegment(app, publisher.actor, { siteId: publisher.siteId, body: { rule: { facts } } })).readers;

const cut = async () => {
  await changeSites(app, { id: publisher.siteId }, { factsCutAt: ago("2 minutes") });
  return (await runMaintenance(app.db, [cutUndeclaredFacts]))["undeclared facts"];
};

describe("what a page says of a reader", () => {
  test("is stored if it is declared, with what was said before, and taken back by an empty value", async () => {
    expect(await told({ facts: { plan: "free", region: "north" } })).toEqual([
      { name: "plan", label: "Your plan", value: "free" },
      { name: "region", label: "region", value: "north" },
    ]);
    expect(await told({ facts: { plan: "paid" } })).toMatchObject([{ value: "paid" }, { value: "north" }]);
    expect(await told({ facts: { plan: "", region: "" } })).toEqual([]);
    expect(await stored()).toEqual([null, null, null]);
  });

  test("is ignored if it is not declared", async () => {
    const facts = { plan: "gold", email: "a@example.org", constructor: "paid" };
    expect(await told({ facts })).toEqual([]);
    expect(await stored()).toEqual([null, null, null]);
  });

  test("is refused if it is no text, and from a browser without the subscription's secret", async () => {
    expect(await ask({ facts: { plan: 1, region: ["north"] } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/facts/plan" }, { path: "/facts/region" }] },
    });
    const { endpoint } = readers[0]!;
    const auth = readers[1]!.keys.auth;
    expect(await ask({ endpoint, auth, facts: { plan: "paid" } })).toMatchObject({ status: 404 });
    const other = await createPublisher(app);
    expect(await ask({ facts: { plan: "paid" } }, 0, other.siteId)).toMatchObject({ status: 404 });
    expect(await stored()).toEqual([null, null, null]);
  });

  test("stays removed when the reader has removed it, and is in their data", async () => {
    await told({ facts: { plan: "paid", region: "south" } });
    expect(await told({ removeFact: "plan" })).toEqual([{ name: "region", label: "region", value: "south" }]);
    expect(await told({ facts: { plan: "paid" } })).toMatchObject([{ name: "region" }]);
    expect(await told({ removeFact: "email" })).toMatchObject([{ name: "region" }]);
    const { endpoint, keys } = readers[0]!;
    const data = await createReaderClient(api, publisher.siteId).post("data", { endpoint, auth: keys.auth });
    expect(data.body.subscription).toMatchObject({ language: null, facts: { plan: null, region: "south" } });
    expect(await count({ plan: ["paid"] })).toBe(0);
  });
});

test("a segment has the readers of any of the values, of all of the facts", async () => {
  await told({ facts: { plan: "paid", region: "north" } });
  await told({ facts: { plan: "paid" } }, 1);
  await told({ facts: { plan: "free", region: "south" } }, 2);
  expect(await count({ plan: ["paid"] })).toBe(2);
  expect(await count({ plan: ["paid", "free"] })).toBe(3);
  expect(await count({ plan: ["paid"], region: ["north"] })).toBe(1);
});

test("a segment with what its site has not declared is refused, each value by its path", async () => {
  const { actor, siteId } = publisher;
  const rule = { facts: { plan: ["paid", "gold"], age: ["old"] } };
  expect(await faultsOf(addSegment(app, actor, { siteId, body: { name: "Gold", rule } }))).toEqual([
    "/rule/facts/plan/1",
    "/rule/facts/age/0",
  ]);
});

test("a value that is not declared any more is nobody's at once, and maintenance deletes it", async () => {
  await told({ facts: { plan: "paid", region: "north" } });
  await told({ facts: { plan: "free" } }, 1);
  await told({ removeFact: "plan" }, 2);
  await declare([{ ...plan, values: ["paid"] }]);
  expect(await told({}, 1)).toEqual([]);
  expect(await faultsOf(count({ plan: ["free"] }))).toEqual(["/rule/facts/plan/0"]);
  expect(await cut()).toBe(2);
  expect(await stored()).toEqual([{ plan: "paid" }, null, { plan: null }]);
  expect(await cut()).toBe(0);
});

const refused: [string, unknown[], string[]][] = [
  ["nine facts", [..."abcdefghi"].map((name) => ({ name, values: ["yes"] })), ["/facts"]],
  ["21 values", [{ name: "plan", values: Array.from({ length: 21 }, (_, i) => `v${i}`) }], ["/facts/0/values"]],
  ["no values", [{ name: "plan", values: [] }], ["/facts/0/values"]],
  ["a long value", [{ name: "plan", values: ["a".repeat(41)] }], ["/facts/0/values/0"]],
  ["a name in capitals", [{ name: "Plan", values: ["a"] }], ["/facts/0/name"]],
  ["the same name twice", [plan, plan], ["/facts/1/name"]],
  ["identifiers", [{ name: "user_id", values: ["a@b.example"] }], ["/facts/0/name", "/facts/0/values/0"]],
  [
    "several faults",
    [{ name: "1", values: "a" }, { name: "email" }],
    ["/facts/0/name", "/facts/0/values", "/facts/1/name", "/facts/1/values"],
  ],
];

test.for(refused)("facts with %s are refused by the path of each fault", async ([_, facts, paths]) => {
  expect(await faultsOf(declare(facts))).toEqual(paths);
});

test("the condition reads each subscriber of a page once, however many have facts", async () => {
  await insertSubscribers(app, publisher.siteId, 3_000);
  const isMet = isOfAudience(publisher.siteId, {
    ...everybody,
    segment: { facts: { plan: ["paid", "free"], region: ["north"] } },
  });
  const explained = await rows(
    sql<{ "QUERY PLAN": string }>`explain select count(*) from subscribers s
      where s.site_id = ${publisher.siteId} and ${isMet}`,
    app.db,
  );
  const text = explained.map((line) => line["QUERY PLAN"]).join("\n");
  expect(text.match(/Scan.* on subscribers s /g)).toHaveLength(1);
  expect(text).not.toMatch(/Loop|Join|SubPlan/);
});
