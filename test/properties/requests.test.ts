import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { v1Routes } from "../../src/http/server.ts";
import {
  checkRequests,
  type FuzzAnswer,
  type FuzzFixture,
  type FuzzRequest,
  openFuzzFixture,
  otherRoutes,
  requestCounts,
} from "./fixture.ts";
import { headerValue, json, pathPart, text } from "./inputs.ts";

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await openFuzzFixture();
});

const timeoutMs = 180_000;

type Target = { method: string; path: string; byOwner: boolean };

/** Returns every route with existing ids. The ids of keys are unknown ones, so that no existing key is deleted. */
function validTargets(): fc.Arbitrary<Target> {
  const { tenantId, campaigns, runs } = fixture.ids;
  const routes = [
    ...v1Routes.map(({ method, path, access }) => ({ method, path, byOwner: access === "ownerSession" })),
    ...otherRoutes.map((route) => ({ method: route.split(" ")[0]!, path: route.split(" ")[1]!, byOwner: false })),
  ];
  return fc
    .tuple(fc.constantFrom(...routes), fc.constantFrom(...campaigns), fc.constantFrom(...runs), fc.uuid())
    .map(([{ method, path, byOwner }, campaignId, runId, keyId]) => {
      const ids: Record<string, string> = { tenantId, campaignId, runId, keyId };
      return { method, byOwner, path: path.replace(/:(\w+)/g, (_, name: string) => ids[name]!) };
    });
}

/** Returns the headers of the right identity for a route: an owner's session, or the key. */
function identityFor({ byOwner }: Pick<Target, "byOwner">): Record<string, string> {
  return byOwner ? { cookie: fixture.cookie } : { authorization: `Bearer ${fixture.key}` };
}

const hasBody = (method: string) => method !== "GET" && method !== "HEAD";

/** Expects that rows were added only for campaigns and keys by a 201, and for runs by a 202. */
async function expectGrowth(
  before: Record<string, number>,
  all: { wire: FuzzRequest; answer: FuzzAnswer }[],
): Promise<void> {
  const grown = (pathEnd: RegExp, status: number) =>
    all.filter(
      ({ wire, answer }) =>
        pathEnd.test(wire.path.split("?")[0]!) && answer.status === status && !answer.text.includes('"duplicate":true'),
    ).length;
  expect(await fixture.countRows()).toEqual({
    ...before,
    campaigns: before.campaigns! + grown(/\/campaigns$/i, 201),
    runs: before.runs! + grown(/\/send$/, 202),
    api_keys: before.api_keys! + grown(/\/api-keys$/i, 201),
  });
}

describe("no request causes a 5xx, exposes internals or loses a row", () => {
  test("with any bytes in its body and any content type", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const types = [
      "application/json",
      "application/json; charset=utf-8",
      "application/json;charset=utf-16",
      "text/plain",
    ];
    const moreTypes = [
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonx",
      "*/*",
    ];
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      json.map((value) => Buffer.from(JSON.stringify(value) ?? "")),
      fc.tuple(json, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([value, at, byte]) => {
        const whole = Buffer.from(JSON.stringify({ siteId: fixture.ids.siteId, url: value }));
        whole[at % whole.length] = byte;
        return whole;
      }),
      fc.constantFrom(60_000, 65_537, 200_000).map((length) => Buffer.alloc(length, "[")),
      fc.constant(Buffer.from("\ufeff{}", "utf16le")),
    );
    const wire = fc
      .tuple(
        validTargets(),
        bytes,
        fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...types, ...moreTypes) }, headerValue),
      )
      .map(([{ method, path, byOwner }, body, type]) => ({
        method: hasBody(method) ? method : "POST",
        path,
        headers: { ...identityFor({ byOwner }), "content-type": type },
        body: new Uint8Array(body),
      }));
    await expectGrowth(before, await checkRequests(fixture, wire, requestCounts.bytes));
  });

  test("with any headers", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const names = [
      "content-type",
      "content-encoding",
      "idempotency-key",
      "origin",
      "cookie",
      "accept",
      "range",
      "if-match",
    ];
    const moreNames = ["authorization", "x-forwarded-for", "x-forwarded-host", "sec-fetch-site", "x-request-id", "te"];
    const others = ["x-http-method-override", "accept-encoding", "user-agent", "referer", "forwarded", "traceparent"];
    const headers = fc.dictionary(fc.constantFrom(...names, ...moreNames, ...others), headerValue, { maxKeys: 5 });
    const wire = fc.tuple(validTargets(), headers, fc.ipV4(), fc.boolean()).map(([target, given, address, isJson]) => ({
      method: target.method,
      path: target.path,
      headers: { ...identityFor(target), "x-forwarded-for": address, ...given },
      body: isJson && hasBody(target.method) ? "{}" : null,
    }));
    await expectGrowth(before, await checkRequests(fixture, wire, requestCounts.headers));
  });
});

describe("neither does any other request", () => {
  test("with any path and method", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const { tenantId, strangersTenant, strangersCampaign, campaigns, runs } = fixture.ids;
    const part = pathPart([tenantId, strangersTenant, strangersCampaign, ...campaigns, ...runs]);
    const patterns = v1Routes.map(({ path }) => path.split("/"));
    const byRoute = fc
      .tuple(fc.constantFrom(...patterns), fc.array(part, { minLength: 2, maxLength: 2 }))
      .map(([pattern, parts]) => pattern.map((name) => (name.startsWith(":") ? parts.pop()! : name)).join("/"));
    const byParts = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
    const methods = fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "PROPFIND", "QUERY");
    const wire = fc
      .record({ method: methods, path: fc.oneof({ weight: 3, arbitrary: byRoute }, byParts), byOwner: fc.boolean() })
      .map(({ method, path, byOwner }) => ({ method, path, headers: identityFor({ byOwner }), body: null }));
    await expectGrowth(before, await checkRequests(fixture, wire, requestCounts.paths));
  });

  test("with any query", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const name = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("limit", "cursor", "status", "siteId", "externalId") },
      text.map(toQuery),
    );
    const value = fc.oneof(
      fc.constantFrom(
        "1",
        "100",
        "0",
        "-1",
        "1e1",
        "draft",
        "sent",
        fixture.ids.siteId,
        fixture.ids.campaigns[0]!,
        "%00",
        "%",
      ),
      text.map(toQuery),
    );
    const query = fc
      .array(fc.tuple(name, value), { maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
    const lists = ["campaigns", "sites"].map((list) => `/v1/tenants/${fixture.ids.tenantId}/${list}`);
    const path = fc.constantFrom(...lists, ...fixture.ids.runs.map((id) => `/v1/runs/${id}`));
    const wire = fc.tuple(path, query).map(([at, asked]) => ({
      method: "GET",
      path: `${at}?${asked}`,
      body: null,
      headers: identityFor({ byOwner: false }),
    }));
    const all = await checkRequests(fixture, wire, requestCounts.queries);
    expect(all.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(50);
    await expectGrowth(before, all);
  });
});

/** Percent-encodes a part of a query. Lone surrogates, which cannot be encoded, are replaced. */
function toQuery(raw: string): string {
  return encodeURIComponent(raw.toWellFormed());
}
