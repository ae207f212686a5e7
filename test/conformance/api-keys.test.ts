import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../fixtures/app.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

/** The section "API key" of the specification, and rule 1. */
let fixture: ConformanceFixture;
let path: string;
let cookie: string;
let asOwner: (method: string, at: string, body?: unknown) => Promise<Answer>;

beforeAll(async () => {
  fixture = await openConformanceFixture();
  path = `/v1/tenants/${fixture.publisher.tenantId}/api-keys`;
  cookie = await fixture.ownerCookie();
  asOwner = (method, at, body) => fixture.api.call(method, at, { headers: { cookie }, body });
});

const useKey = (key: string) => fixture.call("GET", `/v1/tenants/${fixture.publisher.tenantId}/sites`, { key });

describe("API keys", () => {
  test("are created with a name that the caller chooses", async () => {
    const made = await asOwner("POST", path, { name: "Our CMS" });
    expect(made).toMatchObject({ status: 201, body: { name: "Our CMS", keyId: expect.any(String) } });
  });

  test("need a name: absent, empty and non-string names are refused", async () => {
    for (const body of [{}, { name: "" }, { name: "  " }, { name: 5 }, { name: ["x"] }]) {
      const refused = await asOwner("POST", path, body);
      expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed", errors: [{ path: "/name" }] } });
    }
  });

  test("show their secret once, at creation, in an answer that must not be cached", async () => {
    const made = await asOwner("POST", path, { name: "Shown once" });
    expect(made.body.secret).toEqual(expect.any(String));
    expect(made.headers.get("cache-control")).toBe("no-store");
  });

  test("never show their secret again: the list has no trace of it", async () => {
    const made = await asOwner("POST", path, { name: "Never again" });
    const list = await asOwner("GET", path);
    expect(list.status).toBe(200);
    const listed = list.body.data.find(({ keyId }: { keyId: string }) => keyId === made.body.keyId);
    expect(listed).toEqual({ ...made.body, secret: undefined });
    expect(JSON.stringify(list.body)).not.toContain(made.body.secret);
  });

  test("send their secret as a bearer token", async () => {
    const made = await asOwner("POST", path, { name: "Bearer" });
    expect((await useKey(made.body.secret)).status).toBe(200);
  });

  test("are listed: those of the tenant, and of no other", async () => {
    const stranger = await signIn(fixture.api, ownerEmail(fixture.stranger.tenantId));
    const made = await asOwner("POST", path, { name: "Mine" });
    const theirs = await fixture.api.call("GET", `/v1/tenants/${fixture.stranger.tenantId}/api-keys`, {
      headers: { cookie: stranger },
    });
    const ids = (list: Answer) => list.body.data.map(({ keyId }: { keyId: string }) => keyId);
    expect(ids(await asOwner("GET", path))).toContain(made.body.keyId);
    expect(ids(theirs)).toHaveLength(1);
    expect(ids(theirs)).not.toContain(made.body.keyId);
  });

  test("are deleted, and refused from then on", async () => {
    const { keyId, secret } = (await asOwner("POST", path, { name: "Short life" })).body;
    expect(await asOwner("DELETE", `${path}/${keyId}`)).toMatchObject({ status: 204, body: undefined });
    expect((await useKey(secret)).status).toBe(401);
    expect(JSON.stringify((await asOwner("GET", path)).body)).not.toContain(keyId);
    expect((await asOwner("DELETE", `${path}/${keyId}`)).status).toBe(404);
  });
});

describe("rule 1", () => {
  describe.each([
    ["list", "GET", ""],
    ["create", "POST", ""],
    ["delete", "DELETE", "/0190d5f0-0000-7000-8000-000000000000"],
  ])("rule 1, to %s keys", (_, method, rest) => {
    const body = method === "POST" ? { name: "x" } : undefined;

    test("is for a session of an owner only: a request without identity is refused", async () => {
      expect((await fixture.api.call(method, path + rest, { body })).status).toBe(401);
    });

    test("is for a session of an owner only: an API key is refused", async () => {
      const refused = await fixture.call(method, path + rest, { body });
      expect(refused).toMatchObject({ status: 403, body: { code: "owner_session_required" } });
    });

    test.each(["editor", "viewer"] as const)("is for an owner only: the session of a %s is refused", async (role) => {
      const { app, api, publisher } = fixture;
      const headers = { cookie: await signInAs(app, api, publisher.tenantId, role) };
      const refused = await api.call(method, path + rest, { headers, body });
      expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    });

    test("is for an owner of this tenant only: another tenant's owner is refused", async () => {
      const headers = { cookie: await signIn(fixture.api, ownerEmail(fixture.stranger.tenantId)) };
      const refused = await fixture.api.call(method, path + rest, { headers, body });
      expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    });
  });
});
