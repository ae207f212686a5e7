import { beforeAll, expect, test } from "vitest";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { signInAs } from "../fixtures/sign-in.ts";

let api: Api;
let publisher: Publisher;
let other: Publisher;
let viewer: string;
let editor: string;

beforeAll(async () => {
  const app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
  other = await createPublisher(app);
  viewer = await signInAs(app, api, publisher.tenantId, "viewer");
  editor = await signInAs(app, api, publisher.tenantId, "editor");
});

const tenant = () => `/dashboard/api/tenants/${publisher.tenantId}`;

/**
 * Returns the answers to paths of the tenant, in the order of the paths. An answer is undefined if the service gave
 * none.
 */
async function read(paths: string[], cookie = viewer): Promise<unknown[]> {
  const query = new URLSearchParams(paths.map((path): [string, string] => ["path", path]));
  const answer = await fetch(`${api.url}${tenant()}/reads?${query}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  const lines = (await answer.text()).split("\n").filter((line) => line !== "");
  const bodies: unknown[] = paths.map(() => undefined);
  for (const { at, body } of lines.map((line) => JSON.parse(line) as { at: number; body?: unknown })) bodies[at] = body;
  return bodies;
}

test("reads that are joined have the answers that each has alone", async () => {
  const site = `/sites/${publisher.siteId}`;
  const paths = ["", site, `${site}/segments`, `${site}/period?days=7`, "/undo-windows"];
  const alone = await Promise.all(
    paths.map(async (path) => (await api.call("GET", tenant() + path, { headers: { cookie: viewer } })).body),
  );
  expect(await read(paths)).toEqual(alone);
});

test("what a role may not read is not in a joined answer", async () => {
  const paths = [`/sites/${publisher.siteId}/autosaved-drafts`, `/sites/${publisher.siteId}/unseen-subscribers`];
  expect(await read(paths)).toEqual([undefined, undefined]);
  expect(await read(paths, editor)).toEqual([{ data: [] }, undefined]);
});

test.each([
  ["a site of another publisher", () => `/sites/${other.siteId}/overview`],
  ["another publisher", () => `/../${other.tenantId}/members`],
  ["an unknown path", () => "/nowhere"],
  ["a stream", () => `/sites/${publisher.siteId}/changes`],
  ["a file", () => "/campaigns.csv"],
  ["a check that fetches pages", () => `/sites/${publisher.siteId}/installation`],
  ["a malformed query", () => `/sites/${publisher.siteId}/period?days=%00`],
  ["a malformed path", () => "/sites/%zz/overview"],
  ["itself", () => "/reads?path=/members"],
])("%s is not in a joined answer, and the others are", async (_, path) => {
  expect(await read([path(), "/undo-windows"])).toEqual([undefined, { data: [] }]);
});

test("of seventeen paths sixteen are answered, and of none none", async () => {
  const bodies = await read(Array.from({ length: 17 }, () => "/undo-windows"));
  expect(bodies.filter((body) => body !== undefined)).toHaveLength(16);
  expect(await read([])).toEqual([]);
});
