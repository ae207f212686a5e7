import { beforeAll, expect, test } from "vitest";
import { type FeedServer, startFeedServer } from "../fixtures/feed-server.ts";
import { type GroupFixture, openGroupFixture } from "./fixture.ts";

let fixture: GroupFixture;
let server: FeedServer;

beforeAll(async () => {
  server = await startFeedServer();
  const limits = { RATE_LIMIT_PER_MINUTE: "10", FETCH_RATE_LIMIT_PER_MINUTE: "5" };
  fixture = await openGroupFixture({ ALLOW_HOSTS: server.allowHost, ...limits });
});

test("a group counts as so many requests and page fetches as it has sites", async () => {
  const story = { mode: "url", url: server.publish("/stories/a", "Bridge opens"), title: undefined, body: undefined };
  const first = await fixture.createGroup(story);
  expect(first.status).toBe(201);
  expect(first.headers.get("ratelimit")).toMatch(/^"key";r=7;t=\d+, "fetch";r=2;t=\d+$/);
  const second = await fixture.createGroup(story);
  expect(second).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "fetch" } });
  const third = await fixture.createGroup();
  expect([third.status, third.headers.get("ratelimit")]).toEqual([201, expect.stringMatching(/^"key";r=1;/)]);
  const fourth = await fixture.createGroup();
  expect(fourth).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "key" } });
});
