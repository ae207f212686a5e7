import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { checkRequests, type FuzzFixture, type FuzzRequest, openFuzzFixture, requestCounts } from "./fixture.ts";
import { json, mostly, nearlyValid, text, urls } from "./inputs.ts";

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await openFuzzFixture();
});

const timeoutMs = 180_000;

/** Creates requests with a JSON body. Most bodies are from `near`, and some are any JSON. */
function request(method: string, path: fc.Arbitrary<string>, near: fc.Arbitrary<unknown>): fc.Arbitrary<FuzzRequest> {
  const body = fc.oneof({ weight: 9, arbitrary: near }, { weight: 1, arbitrary: json });
  return fc.record({
    method: fc.constant(method),
    path,
    headers: fc.constant({ authorization: `Bearer ${fixture.key}`, "content-type": "application/json" }),
    body: body.map((value) => JSON.stringify(value) ?? ""),
  });
}

function campaignFields(): Record<string, fc.Arbitrary<unknown>> {
  const { siteId, strangersSite, topicId } = fixture.ids;
  return {
    ...changeable(topicId),
    siteId: mostly(fc.constant(siteId), fc.constantFrom(strangersSite, siteId.toUpperCase()), fc.uuid()),
    url: urls(fixture.article),
    mode: fc.oneof({ weight: 3, arbitrary: fc.constant("manual") }, fc.constantFrom("url", null, undefined)),
    forceSend: fc.constantFrom(true, false, null, undefined),
  };
}

function changeable(topicId: string): Record<string, fc.Arbitrary<unknown>> {
  const images = fc.constantFrom("", null, undefined, "https://images.example.invalid/a.jpg");
  const topicIds = fc.constantFrom(undefined, null, [], [topicId], [topicId, topicId.toUpperCase()]);
  return {
    title: mostly(fc.constant("Bridge opens"), text),
    body: mostly(fc.constant("On Saturday."), text),
    imageUrl: mostly<unknown>(images, urls(fixture.article)),
    topicIds: mostly<unknown>(topicIds, fc.array(fc.uuid(), { maxLength: 120 })),
    externalId: mostly<unknown>(fc.constantFrom(undefined, "cms-1"), text),
    ttlSeconds: mostly<unknown>(fc.constantFrom(undefined, 60, 2_419_200), fc.integer(), fc.double()),
    badge: mostly<unknown>(images, urls(fixture.article)),
    lang: mostly<unknown>(fc.constantFrom(undefined, "", "pt-BR"), text),
    appBadge: mostly<unknown>(fc.constantFrom(undefined, 0, 9_999), fc.integer(), fc.double()),
    labels: mostly(fc.constantFrom(undefined, ["Desk"]), fc.constantFrom([""], ["__proto__".repeat(9)])),
    class: mostly(fc.constantFrom(undefined, "breaking"), fc.constantFrom("BREAKING", "constructor")),
    urgency: mostly(fc.constantFrom(undefined, "high"), fc.constantFrom("HIGH", "constructor")),
  };
}

const seconds = (min: number, max: number) =>
  fc.integer({ min, max }).map((ahead) => new Date(Date.now() + ahead * 1_000).toISOString());

const anyCampaign = () => fc.constantFrom(...fixture.ids.campaigns, fixture.ids.strangersCampaign, ...fixture.ids.runs);
const isCreation = (status: number, body: string) => status === 201 && !body.includes('"duplicate":true');

describe("no JSON body causes a 5xx, exposes internals or loses a row", () => {
  test("of a creation: only answers 201 add rows", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const path = fc.constant(`/v1/tenants/${fixture.ids.tenantId}/campaigns`);
    // A few keys for many bodies cause replays and reused keys.
    const keys = fc.constantFrom(
      {},
      {},
      { "idempotency-key": "a" },
      { "idempotency-key": "b" },
      { "idempotency-key": " " },
    );
    const creation = fc
      .tuple(request("POST", path, nearlyValid(campaignFields())), keys)
      .map(([post, key]) => ({ ...post, headers: { ...post.headers, ...key } as Record<string, string> }));
    const all = await checkRequests(fixture, creation, requestCounts.creations);
    const created = all.filter(({ answer }) => isCreation(answer.status, answer.text)).length;
    expect(created).toBeGreaterThan(100);
    expect(await fixture.countRows()).toEqual({ ...before, campaigns: before.campaigns! + created });
  });

  test("of a preview: no request adds a row", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const { siteId, tenantId, strangersSite, strangersTenant } = fixture.ids;
    const body = nearlyValid({
      url: urls(fixture.article),
      siteId: fc.oneof(fc.constantFrom(undefined, siteId, strangersSite), fc.uuid()),
      tenantId: fc.oneof(fc.constantFrom(undefined, tenantId, strangersTenant), fc.uuid()),
    });
    const all = await checkRequests(
      fixture,
      request("POST", fc.constant("/v1/content/preview"), body),
      requestCounts.previews,
    );
    expect(all.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(20);
    expect(await fixture.countRows()).toEqual(before);
  });

  test("of a change: no request adds a row, and a stranger's campaign is unchanged", {
    timeout: timeoutMs,
  }, async () => {
    const before = await fixture.countRows();
    const path = anyCampaign().map((id) => `/v1/campaigns/${id}`);
    const body = nearlyValid({ ...changeable(fixture.ids.topicId), url: urls("https://news.example.invalid/a") });
    const all = await checkRequests(fixture, request("PATCH", path, body), requestCounts.changes);
    expect(all.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(50);
    const onStrangers = all.filter(({ wire }) => wire.path.endsWith(fixture.ids.strangersCampaign));
    expect(onStrangers.filter(({ answer }) => answer.status < 400)).toEqual([]);
    expect(await fixture.countRows()).toEqual(before);
  });
});

describe("neither does any other JSON body", () => {
  test("of a schedule: no request adds a row", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const path = anyCampaign().map((id) => `/v1/campaigns/${id}/schedule`);
    const scheduleAt = fc.oneof(
      seconds(-100, 1e8),
      text,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    const all = await checkRequests(
      fixture,
      request("POST", path, nearlyValid({ scheduleAt })),
      requestCounts.schedules,
    );
    expect(all.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(10);
    expect(await fixture.countRows()).toEqual(before);
  });

  test("of a new key: only answers 201 add keys, at most 50", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const path = fc.constant(`/v1/tenants/${fixture.ids.tenantId}/api-keys`);
    const asOwner = request("POST", path, nearlyValid({ name: text })).map(({ headers, ...rest }) => {
      const { authorization: _, ...others } = headers;
      return { ...rest, headers: { ...others, cookie: fixture.cookie } as Record<string, string> };
    });
    const all = await checkRequests(fixture, asOwner, requestCounts.keys);
    const created = all.filter(({ answer }) => answer.status === 201).length;
    expect(created).toBeGreaterThan(10);
    expect(created).toBeLessThan(50);
    expect(await fixture.countRows()).toEqual({ ...before, api_keys: before.api_keys! + created });
  });

  test("of a sign-in: none succeeds", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const body = nearlyValid({ email: fc.oneof(fc.emailAddress(), text), password: text, rememberMe: fc.boolean() });
    const signIn = fc
      .tuple(request("POST", fc.constant("/dashboard/api/auth/sign-in/email"), body), fc.ipV4())
      .map(([post, address]) => ({ ...post, headers: { ...post.headers, "x-forwarded-for": address } }));
    const all = await checkRequests(fixture, signIn, requestCounts.signIns);
    expect(all.filter(({ answer }) => answer.status < 400)).toEqual([]);
    expect(await fixture.countRows()).toEqual(before);
  });
});
