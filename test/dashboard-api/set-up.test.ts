import { expect, test } from "vitest";
import { openTestApp, serve } from "../fixtures/app.ts";

const wanted = {
  email: "Owner@Example.org",
  password: "correct horse battery",
  tenantName: "Example News",
  siteName: "Example",
  siteUrl: "https://news.example",
  timeZone: "Europe/Berlin",
  dpaAccepted: true,
};

const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

test("the set-up creates owner, tenant, site and key, signs in, and works only once", async () => {
  const api = await serve(await openTestApp());
  expect((await api.call("GET", "/dashboard/api/start")).body).toMatchObject({ needsSetUp: true, user: null });

  const made = await api.call("POST", "/dashboard/api/set-up", { body: wanted });
  expect(made).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^pbk_/) } });
  const { tenantId, siteId, secret: key } = made.body;
  const start = await api.call("GET", "/dashboard/api/start", { headers: { cookie: cookieOf(made.headers) } });
  expect(start.body).toMatchObject({
    needsSetUp: false,
    user: { email: "owner@example.org" },
    tenants: [
      {
        tenantId,
        name: "Example News",
        role: "owner",
        sites: [{ siteId, name: "Example", timeZone: "Europe/Berlin" }],
      },
    ],
  });
  expect((await api.call("GET", `/v1/tenants/${tenantId}/sites`, { key })).status).toBe(200);

  const again = await api.call("POST", "/dashboard/api/set-up", { body: {} });
  expect(again).toMatchObject({ status: 409, body: { code: "already_set_up" } });
});

test("of several set-ups at once one succeeds", async () => {
  const api = await serve(await openTestApp());
  const visits = Array.from({ length: 8 }, (_, i) =>
    api.call("POST", "/dashboard/api/set-up", { body: { ...wanted, email: `owner-${i}@example.org` } }),
  );
  const statuses = (await Promise.all(visits)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
});

test("a set-up with faults reports all of them, and creates nothing", async () => {
  const api = await serve(await openTestApp());
  const body = {
    email: "owner",
    password: "short",
    tenantName: " ",
    siteName: "S",
    siteUrl: "ftp://x",
    dpaAccepted: false,
  };
  const refused = await api.call("POST", "/dashboard/api/set-up", { body });
  const paths = refused.body.errors.map(({ path }: { path: string }) => path);
  expect(refused.status).toBe(400);
  expect(paths.toSorted()).toEqual(["/dpaAccepted", "/email", "/password", "/siteUrl", "/tenantName"]);
  expect((await api.call("GET", "/dashboard/api/start")).body.needsSetUp).toBe(true);
});

test("a set-up that another website sends (CSRF) is refused", async () => {
  const api = await serve(await openTestApp());
  const headers = { origin: "https://evil.example" };
  const refused = await api.call("POST", "/dashboard/api/set-up", { body: wanted, headers });
  expect(refused).toMatchObject({ status: 403, body: { code: "csrf_failed" } });
});
