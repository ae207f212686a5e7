import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { createFullTenant, type Ids } from "../http/two-tenants.ts";

let app: App;
let api: Api;
let ids: Ids;
const cookies: Record<string, string> = {};

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  ({ ids } = await createFullTenant(app, api));
  for (const role of ["viewer", "editor", "owner"] as const)
    cookies[role] = await signInAs(app, api, ids.tenantId, role);
});

/** Downloads an export. `path` is relative to the tenant. */
const download = (path: string, role: string) =>
  fetch(`${api.url}/dashboard/api/tenants/${ids.tenantId}${path}`, { headers: { cookie: cookies[role]! } });

const campaigns = () => "/campaigns.csv";
const run = () => `/runs/${ids.runId}/report.csv`;
const subscribers = () => `/sites/${ids.siteId}/subscribers.ndjson`;

/**
 * The statuses are literal, so that a change of a route's access fails here. An export contains personal data or
 * figures.
 */
const statuses = [
  { name: "campaigns", path: campaigns, role: "viewer", status: 200 },
  { name: "campaigns", path: campaigns, role: "editor", status: 200 },
  { name: "campaigns", path: campaigns, role: "owner", status: 200 },
  { name: "run", path: run, role: "viewer", status: 200 },
  { name: "run", path: run, role: "editor", status: 200 },
  { name: "run", path: run, role: "owner", status: 200 },
  { name: "subscribers", path: subscribers, role: "viewer", status: 403 },
  { name: "subscribers", path: subscribers, role: "editor", status: 403 },
  { name: "subscribers", path: subscribers, role: "owner", status: 200 },
];

test.each(statuses)("the export of $name answers $status to a member who is $role", async ({ path, role, status }) => {
  const answer = await download(path(), role);
  await answer.text();
  expect(answer.status).toBe(status);
});

describe("the first line of an export, on which scripts rely:", () => {
  const firstLine = async (path: string) => (await (await download(path, "owner")).text()).split(/\r?\n/)[0];

  test("campaigns.csv", async () => {
    expect(await firstLine(campaigns())).toBe(
      "created,status,title,url,externalId,audience,pending,accepted,gone,failed,expired,notSent,unknown," +
        "displayed,clicked,dismissed,unsubscribed,reporting,class,labels,sent,topics,segment,sender,followersOf",
    );
  });

  test("report.csv of a run", async () => {
    expect(await firstLine(run())).toBe("title,started,outcome,reason,pushService,count,meaning");
  });

  test("subscribers.ndjson, which has no header: each line has the fields of the import", async () => {
    const line = (await firstLine(subscribers()))!;
    expect(line).toMatch(
      /^\{"endpoint":"https:[^"]+","keys":\{"p256dh":"[\w-]{87}","auth":"[\w-]{22}"\},"topics":\[[^\]]*\]\}$/,
    );
  });
});
