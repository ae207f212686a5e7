import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type FuzzFixture, holdFor, openFuzzFixture, requestsOf, type Wire } from "./fixture.ts";
import { json, mostly, nearlyValid, text, urls } from "./inputs.ts";

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await openFuzzFixture();
});

const timeoutMs = 180_000;

/** A request with a JSON body: mostly `near` what is wanted, at times anything. */
function wire(method: string, path: fc.Arbitrary<string>, near: fc.Arbitrary<unknown>): fc.Arbitrary<Wire> {
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
    urgency: mostly(fc.constantFrom(undefined, "high"), fc.constantFrom("HIGH", "constructor")),
  };
}

const seconds = (min: number, max: number) =>
  fc.integer({ min, max }).map((ahead) => new Date(Date.now() + ahead * 1_000).toISOString());

const anyCampaign = () => fc.constantFrom(...fixture.ids.campaigns, fixture.ids.strangersCampaign, ...fixture.ids.runs);
const isCreation = (status: number, body: string) => status === 201 && !body.includes('"duplicate":true');

describe("no JSON body causes a 5xx, nor shows the inside, nor loses a row", () => {
  test("of a creation: rows come by its 201s alone", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const path = fc.constant(`/v1/tenants/${fixture.ids.tenantId}/campaigns`);
    // Few keys for many bodies: replays, and keys that are used again.
    const keys = fc.constantFrom(
      {},
      {},
      { "idempotency-key": "a" },
      { "idempotency-key": "b" },
      { "idempotency-key": " " },
    );
    const creation = fc
      .tuple(wire("POST", path, nearlyValid(campaignFields())), keys)
      .map(([request, key]) => ({ ...request, headers: { ...request.headers, ...key } as Record<string, string> }));
    const all = await holdFor(fixture, creation, requestsOf.creations);
    const created = all.filter(({ answer }) => isCreation(answer.status, answer.text)).length;
    expect(created).toBeGreaterThan(100);
    expect(await fixture.countRows()).toEqual({ ...before, campaigns: before.campaigns! + created });
  });

  test("of a preview: none makes a row", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const { siteId, tenantId, strangersSite, strangersTenant } = fixture.ids;
    const body = nearlyValid({
      url: urls(fixture.article),
      siteId: fc.oneof(fc.constantFrom(undefined, siteId, strangersSite), fc.uuid()),
      tenantId: fc.oneof(fc.constantFrom(undefined, tenantId, strangersTenant), fc.uuid()),
    });
    const all = await holdFor(fixture, wire("POST", fc.constant("/v1/content/preview"), body), requestsOf.previews);
    expect(all.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(20);
    expect(await fixture.countRows()).toEqual(before);
  });

  test("of a change: none makes a row, and a stranger's campaign stays as it was", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const path = anyCampaign().map((id) => `/v1/campaigns/${id}`);
    const body = nearlyValid({ ...changeable(fixture.ids.topicId), url: urls("https://news.example.invalid/a") });
    const all = await holdFor(fixture, wire("PATCH", path, body), requestsOf.changes);
    expect(all.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(50);
    const onStrangers = all.filter(({ wire }) => wire.path.endsWith(fixture.ids.strangersCampaign));
    expect(onStrangers.filter(({ answer }) => answer.status < 400)).toEqual([]);
    expect(await fixture.countRows()).toEqual(before);
  });
});

describe("nor does any other JSON body", () => {
  test("of a schedule: none makes a row", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const path = anyCampaign().map((id) => `/v1/campaigns/${id}/schedule`);
    const scheduleAt = fc.oneof(
      seconds(-100, 1e8),
      text,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    const all = await holdFor(fixture, wire("POST", path, nearlyValid({ scheduleAt })), requestsOf.schedules);
    expect(all.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(10);
    expect(await fixture.countRows()).toEqual(before);
  });

  test("of a new key: keys come by its 201s alone, and never more than 50", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const path = fc.constant(`/v1/tenants/${fixture.ids.tenantId}/api-keys`);
    const asOwner = wire("POST", path, nearlyValid({ name: text })).map(({ headers, ...rest }) => {
      const { authorization: _, ...others } = headers;
      return { ...rest, headers: { ...others, cookie: fixture.cookie } as Record<string, string> };
    });
    const all = await holdFor(fixture, asOwner, requestsOf.keys);
    const created = all.filter(({ answer }) => answer.status === 201).length;
    expect(created).toBeGreaterThan(10);
    expect(created).toBeLessThan(50);
    expect(await fixture.countRows()).toEqual({ ...before, api_keys: before.api_keys! + created });
  });

  test("of a sign-in: nobody is let in", { timeout: timeoutMs }, async () => {
    const before = await fixture.countRows();
    const body = nearlyValid({ email: fc.oneof(fc.emailAddress(), text), password: text, rememberMe: fc.boolean() });
    const signIn = fc
      .tuple(wire("POST", fc.constant("/dashboard/api/auth/sign-in/email"), body), fc.ipV4())
      .map(([request, address]) => ({ ...request, headers: { ...request.headers, "x-forwarded-for": address } }));
    const all = await holdFor(fixture, signIn, requestsOf.signIns);
    expect(all.filter(({ answer }) => answer.status < 400)).toEqual([]);
    expect(await fixture.countRows()).toEqual(before);
  });
});
