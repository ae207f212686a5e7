import { beforeAll, describe, expect, test } from "vitest";
import { changeMember } from "../../src/access/members/members.ts";
import type { Role, Roles } from "../../src/access/roles.ts";
import { roleReaches } from "../../src/access/roles.ts";
import type { App } from "../../src/app.ts";
import { devicesOfSite } from "../../src/dashboard-api/queries.ts";
import { newId } from "../../src/ids.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, operatorOf, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeCampaigns } from "../fixtures/rows/campaigns.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { insertPerson, ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { createUnknownIds, hashDatabase, type Ids, mark } from "../http/two-tenants.ts";
import { requestOf, routes } from "./routes.ts";

const limits = { RATE_LIMIT_PER_MINUTE: "1000000", FETCH_RATE_LIMIT_PER_MINUTE: "1000000" };
const root = "/dashboard/api/tenants/:tenantId";

/** Ids of one object of each kind that the dashboard's paths name below a site. */
type SiteIds = Ids &
  Record<"segmentId" | "recurringSendId" | "deviceId" | "editorDeviceId" | "autosavedDraftId" | "sentId", string>;

let app: App;
let api: Api;
let publisher: Publisher;
let a: SiteIds;
let b: SiteIds;
const cookies = {} as Record<"editorOfA" | "viewerOfAEditorOfB" | "viewerEditorOfB" | "owner", string>;

const autosavedDraft = (text: string) => {
  const texts = { url: "", title: text, body: text, imageUrl: "" };
  const content = { mode: "manual", ...texts, topicIds: [], ttlSeconds: 60, urgency: "normal", isEdited: true };
  return { content, revision: 0, page: newId() };
};

/** Gives a site one object of each kind. `text` is a part of all names and texts. */
async function furnish(siteId: string, text: string): Promise<SiteIds> {
  const { tenantId, apiKey: key } = publisher;
  const site = `${root.replace(":tenantId", tenantId)}/sites/${siteId}`;
  const add = async (path: string, body: unknown) => {
    const answer = await api.call("POST", `${site}/${path}`, { headers: { cookie: cookies.owner }, body });
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const sister = { name: `Sister ${text}`, url: `https://${text}.example` };
  const { siteId: sisterId } = await createSite(app, operatorOf(tenantId), app.db, sister);
  const { topicId } = await add("topics", { name: `Topic ${text}` });
  const { segmentId } = await add("segments", { name: `Segment ${text}`, rule: { seenWithinDays: 30 } });
  const { feedId } = await add("feeds", { url: `https://news.example/${text}.xml` });
  const { recurringSendId } = await add("recurring-sends", { days: [1], time: "07:00", topicId });
  const { editorDeviceId } = await add("editor-devices", { subscription: createSubscriptions(1)[0] });
  const autosavedDraftId = newId();
  await add(`autosaved-drafts/${autosavedDraftId}`, autosavedDraft(text));
  await subscribe(app, siteId, createSubscriptions(3));
  await subscribe(app, siteId, createSubscriptions(1), text);
  const create = async (externalId: string) => {
    const body = { siteId, mode: "manual", url: `https://news.example/${text}`, title: text, body: text, externalId };
    return (await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body })).body.campaignId as string;
  };
  const campaignId = await create(`draft ${text}`);
  const sentId = await create(`sent ${text}`);
  const sent = await api.call("POST", `/v1/campaigns/${sentId}/send`, { key });
  const [device] = await devicesOfSite(app.db, siteId);
  const groupId = newId();
  await changeCampaigns(app, { id: campaignId }, { groupId });
  const ids = {
    tenantId,
    siteId,
    sisterId,
    topicId,
    campaignId,
    groupId,
    runId: sent.body.runId as string,
    feedId,
    keyId: newId(),
  };
  return {
    ...ids,
    sentId,
    segmentId,
    recurringSendId,
    editorDeviceId,
    autosavedDraftId,
    deviceId: String(device!.deviceId),
  };
}

/** Creates a member with these roles and returns the Cookie header of their session. */
async function signInWith({ role, siteRoles }: Roles): Promise<string> {
  const email = `member-${newId()}@example.org`;
  const userId = await insertPerson(app.db, publisher.tenantId, email, "viewer");
  await changeMember(app, operatorOf(publisher.tenantId), { userId, body: { role, siteRoles } });
  return signIn(api, email);
}

beforeAll(async () => {
  app = await openTestApp(limits);
  api = await serve(app);
  publisher = await createPublisher(app);
  const { tenantId, siteId } = publisher;
  cookies.owner = await signIn(api, ownerEmail(tenantId));
  const other = await createSite(app, operatorOf(tenantId), app.db, { name: mark, url: "https://zebra.example" });
  await changeSites(app, { id: siteId }, { name: "Title A" });
  a = await furnish(siteId, "plain");
  b = await furnish(other.siteId, mark);
  // A test send would wait 15 s for its devices, because nothing delivers here.
  for (const { siteId: of } of [a, b]) await deleteSubscribers(app, { siteId: of, isTest: true });
  const rolesOn = ({ siteId: of, sisterId }: SiteIds, role: "editor" | "viewer") =>
    [of, sisterId].map((id) => ({ siteId: id, role }));
  const onB = rolesOn(b, "editor");
  cookies.editorOfA = await signInWith({ role: null, siteRoles: rolesOn(a, "editor") });
  const both = [...rolesOn(a, "viewer"), ...onB];
  cookies.viewerOfAEditorOfB = await signInWith({ role: null, siteRoles: both });
  cookies.viewerEditorOfB = await signInWith({ role: "viewer", siteRoles: onB });
});

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.slice(root.length)}`;
const named = routes.map((route) => ({ name: nameOf(route), route }));

/**
 * Returns whether a path names a site or an object of a site. Routes of the whole tenant name none, not even in the
 * body.
 */
const namesSite = (path: string) => /:(siteId|campaignId|groupId|runId|feedId)/.test(path);
const inBody = ["POST /content/preview", "POST /campaigns", "POST /campaign-groups"];
const lists = ["GET /sites", "GET /runs", "GET /campaigns", "GET /campaigns.csv", "GET /undo-windows", "GET /reads"];

/** Calls a route. It reads only the first chunk of a stream. */
async function call(route: (typeof routes)[number], cookie: string, ids: SiteIds | Ids) {
  const { path, body } = requestOf(route, ids);
  const answer = await fetch(api.url + path, {
    method: route.method,
    headers: { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel().catch(() => {});
  return { status: answer.status, text: new TextDecoder().decode(first?.value) };
}

const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, "");
/** The statuses of an allowed request, in any state of its object. */
const answered = [200, 201, 202, 204, 404, 409];
const isOwners = ({ access }: { access: string }) => access === "owner";

type OfB = Pick<SiteIds, "siteId" | "topicId" | "segmentId" | "feedId" | "campaignId" | "sentId">;

/** Parts of a request on site A that can name an object of another site, by "METHOD path" relative to the tenant. */
const foreign: [string, string, ((of: OfB) => object) | null, ((of: OfB) => string)?][] = [
  ["POST", "campaigns", ({ siteId }) => ({ siteId })],
  ["POST", "content/preview", ({ siteId }) => ({ siteId, url: "https://news.example/a" })],
  ["POST", "campaigns", ({ topicId }) => ({ topicIds: [topicId] })],
  ["POST", "campaigns", ({ segmentId: segment }) => ({ segment })],
  ["POST", "campaigns", ({ sentId: corrects }) => ({ corrects })],
  ["PATCH", "campaigns/:campaignId", ({ topicId }) => ({ topicIds: [topicId] })],
  ["PATCH", "campaigns/:campaignId", ({ segmentId: segment }) => ({ segment })],
  ["POST", "sites/:siteId/recurring-sends", ({ topicId }) => ({ days: [1], time: "07:00", topicId })],
  ["POST", "sites/:siteId/recurring-sends", ({ feedId }) => ({ days: [1], time: "07:00", feedId })],
  ["PATCH", "sites/:siteId/recurring-sends/:recurringSendId", ({ feedId }) => ({ feedId })],
  ["PATCH", "feeds/:feedId", ({ topicId }) => ({ topicIds: [topicId] })],
  ["PATCH", "feeds/:feedId", ({ segmentId: segment }) => ({ segment })],
  ["POST", "sites/:siteId/segments", ({ topicId }) => ({ name: "Of B", rule: { topics: { any: [topicId] } } })],
  ["POST", "sites/:siteId/segments/count", ({ topicId }) => ({ rule: { topics: { any: [topicId] } } })],
  ["GET", "sites/:siteId/audience", null, ({ segmentId }) => `?segment=${segmentId}`],
  ["GET", "sites/:siteId/audience", null, ({ topicId }) => `?topicIds=${topicId}`],
  ["GET", "sites/:siteId/audience", null, ({ sentId }) => `?corrects=${sentId}`],
  ["GET", "campaigns", null, ({ siteId }) => `?siteId=${siteId}`],
  ["GET", "campaigns", null, ({ topicId }) => `?topicId=${topicId}`],
  ["GET", "campaigns", null, () => `?search=${mark}`],
  ["GET", "campaigns.csv", null, ({ siteId }) => `?siteId=${siteId}`],
  ["GET", "runs", null, ({ siteId }) => `?siteId=${siteId}`],
];

test.each(foreign)("%s %s that names something of site B (%#) is answered as for an unknown id", async (...row) => {
  const [method, path, body, query] = row;
  const to = path.replace(/:(\w+)/g, (_, name: string) => a[name as keyof SiteIds]);
  const campaign = { siteId: a.siteId, mode: "manual", url: "https://news.example/a", title: "T", body: "B" };
  const before = await hashDatabase(app);
  const ask = async (of: OfB) => {
    const sent = body === null ? undefined : path === "campaigns" ? { ...campaign, ...body(of) } : body(of);
    const answer = await api.call(method, `/dashboard/api/tenants/${a.tenantId}/${to}${query?.(of) ?? ""}`, {
      headers: { cookie: cookies.editorOfA },
      body: sent,
    });
    return { status: answer.status, text: withoutId(JSON.stringify(answer.body ?? null)) };
  };
  const [siteId, topicId, segmentId, feedId, campaignId, sentId] = Array.from({ length: 6 }, newId);
  const unknown = { siteId, topicId, segmentId, feedId, campaignId, sentId } as Record<keyof OfB, string>;
  const answer = await ask(b);
  expect(answer).toEqual(await ask(unknown));
  expect(answer.text).not.toContain(mark);
  expect(await hashDatabase(app)).toBe(before);
});

test("every route names a site, is a list of what the member sees, or is of the whole tenant", () => {
  for (const { name, route } of named) {
    const kinds = [namesSite(route.path), inBody.includes(name), lists.includes(name)].filter(Boolean);
    expect(kinds.length, name).toBeLessThanOrEqual(1);
    expect(route.sites === "own", name).toBe(lists.includes(name));
    expect(typeof route.sites === "function", name).toBe(inBody.includes(name));
  }
});

describe.each(named)("$name", ({ name, route }) => {
  const isOfSite = namesSite(route.path) || inBody.includes(name);

  test("answers an editor of site A alone for site B as for an unknown id, and changes nothing", async () => {
    const before = route.method === "GET" ? "" : await hashDatabase(app);
    const answer = await call(route, cookies.editorOfA, b);
    expect(answer.text).not.toContain(mark);
    expect(answer.text).not.toContain(b.siteId);
    if (route.method !== "GET") expect(await hashDatabase(app)).toBe(before);
    if (lists.includes(name)) return expect(answer.status).toBe(200);
    expect(answer.status).toBe(isOfSite && !isOwners(route) ? 404 : 403);
    const unknown = await call(route, cookies.editorOfA, { ...createUnknownIds(), tenantId: a.tenantId });
    expect(withoutId(unknown.text)).toBe(withoutId(answer.text));
  });

  test.each(["viewerOfAEditorOfB", "viewerEditorOfB"] as const)("lets %s change site B and not A", async (who) => {
    if (!isOfSite) return;
    const onA = await call(route, cookies[who], a);
    if (!roleReaches("viewer", route.access as Role)) expect(onA.status).toBe(403);
    else expect(answered).toContain(onA.status);
    const onB = await call(route, cookies[who], b);
    if (isOwners(route)) expect(onB.status).toBe(403);
    else expect(answered).toContain(onB.status);
  });

  test("is open to an editor of site A on site A, unless only owners may", async () => {
    const { status } = await call(route, cookies.editorOfA, a);
    if (isOwners(route) || (!isOfSite && !lists.includes(name))) expect(status).toBe(403);
    else expect(answered).toContain(status);
  });
});

const ofTwo = named.filter(({ route: { path } }) => /:siteId\/.*:/.test(path));

test.each(ofTwo)("$name refuses what is of site B below the path of site A", async ({ route }) => {
  const before = await hashDatabase(app);
  const answer = await call(route, cookies.editorOfA, { ...b, siteId: a.siteId });
  expect(answer.status).toBe(404);
  expect(answer.text).not.toContain(mark);
  expect(await hashDatabase(app)).toBe(before);
});

test("a joined read has only what the member may read alone", async () => {
  const paths = [`/sites/${b.siteId}/overview`, `/runs/${b.runId}`, "/members", "", `/sites/${a.siteId}/overview`];
  const query = new URLSearchParams(paths.map((path): [string, string] => ["path", path]));
  const answer = await fetch(`${api.url}/dashboard/api/tenants/${a.tenantId}/reads?${query}`, {
    headers: { cookie: cookies.editorOfA },
  });
  const text = await answer.text();
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { at: number; body?: unknown });
  expect(lines.filter(({ body }) => body !== undefined).map(({ at }) => at)).toEqual([4]);
  expect(text).not.toContain(mark);
});

test("the start and the session name only the sites that the member sees, with the role on each", async () => {
  const start = async (cookie: string) => (await api.call("GET", "/dashboard/api/start", { headers: { cookie } })).body;
  const alone = await start(cookies.editorOfA);
  expect(JSON.stringify(alone)).not.toContain(mark);
  expect(alone.tenants).toMatchObject([
    { role: null, sites: [a.siteId, a.sisterId].map((siteId) => ({ siteId, role: "editor" })) },
  ]);
  const both = await start(cookies.viewerEditorOfB);
  expect(both.tenants[0].role).toBe("viewer");
  expect(both.tenants[0].sites.map(({ role }: { role: string }) => role)).toEqual([
    "viewer",
    "editor",
    "viewer",
    "editor",
  ]);
});
