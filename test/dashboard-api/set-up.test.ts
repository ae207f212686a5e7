import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createApi, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { startProcess, startService } from "../fixtures/service-process.ts";
import { setUpToken } from "../fixtures/set-up.ts";

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
  const app = await openTestApp();
  const api = await serve(app);
  const body = { ...wanted, token: setUpToken(app) };
  expect((await api.call("GET", "/dashboard/api/start")).body).toMatchObject({ needsSetUp: true, user: null });

  const made = await api.call("POST", "/dashboard/api/set-up", { body });
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

  for (const late of [{}, body]) {
    const again = await api.call("POST", "/dashboard/api/set-up", { body: late });
    expect(again).toMatchObject({ status: 409, body: { code: "already_set_up" } });
  }
});

test("of several set-ups at once one succeeds", async () => {
  const app = await openTestApp();
  const api = await serve(app);
  const token = setUpToken(app);
  const visits = Array.from({ length: 8 }, (_, i) =>
    api.call("POST", "/dashboard/api/set-up", { body: { ...wanted, token, email: `owner-${i}@example.org` } }),
  );
  const statuses = (await Promise.all(visits)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
});

test("a set-up with faults reports all of them, and creates nothing", async () => {
  const app = await openTestApp();
  const api = await serve(app);
  const body = {
    token: setUpToken(app),
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
  const app = await openTestApp();
  const api = await serve(app);
  const headers = { origin: "https://evil.example" };
  const refused = await api.call("POST", "/dashboard/api/set-up", {
    body: { ...wanted, token: setUpToken(app) },
    headers,
  });
  expect(refused).toMatchObject({ status: 403, body: { code: "csrf_failed" } });
});

test.each([
  ["no token", undefined],
  ["an empty one", ""],
  ["a number", 7],
  ["one that is made up", "A".repeat(43)],
])("a set-up with %s is refused before its fields are checked, and creates nothing", async (_name, token) => {
  const api = await serve(await openTestApp());
  for (const body of [{ ...wanted, token }, { token }]) {
    const refused = await api.call("POST", "/dashboard/api/set-up", { body });
    expect(refused).toMatchObject({ status: 403, body: { code: "setup_token_required" } });
  }
  expect((await api.call("GET", "/dashboard/api/start")).body.needsSetUp).toBe(true);
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-set-up-"));
  afterFile(() => rm(folder, { recursive: true }));
  return folder;
}

test("each start logs the same link and keeps it in DATA_DIR, until the set-up has used it", async () => {
  const app = await openTestApp();
  const [DATA_DIR, otherFolder] = [await temporaryFolder(), await temporaryFolder()];
  const file = join(DATA_DIR, "setup-link");
  // The file is left from an earlier start, and everybody can read it.
  await writeFile(file, "an old link", { mode: 0o644 });
  const settings = { ...settingsOf(app), PUBLIC_URL: "https://push.example.org/pressbell/" };
  const service = await startService("api", { ...settingsOf(app), DATA_DIR });
  const other = startProcess(["api"], { ...settings, PORT: "0", DATA_DIR: otherFolder });

  const [, token] = await service.printed(new RegExp(`${service.url}/\\?setup=([\\w-]{43}) `));
  await other.printed(new RegExp(`https://push.example.org/pressbell/\\?setup=${token} `));
  expect(await readFile(file, "utf8")).toBe(`${service.url}/?setup=${token}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const body = { ...wanted, token };
  const made = await createApi(service.url).call("POST", "/dashboard/api/set-up", { body });
  expect(made.status).toBe(201);
  await expect(stat(file)).rejects.toThrow("ENOENT");
});

test("the log says where the service listens, and its link answers there", async () => {
  const app = await openTestApp();
  const service = await startService("api", { ...settingsOf(app), HOST: "0.0.0.0" });
  const port = new URL(service.url).port;
  await service.printed(/PUBLIC_URL is not set: calls from other machines get 421/);
  const [, link] = await service.printed(/opens this link, which works once: (\S+)/);
  expect((await fetch(new URL("/healthz", link))).status).toBe(200);
  expect(service.output()).toContain(`run there first: ssh -L ${port}:127.0.0.1:${port} ${hostname()}`);
  expect(service.output()).toContain(`listens on http://127.0.0.1:${port} and this machine's other addresses"`);
});

test("with PUBLIC_URL the log says both where the service listens and its address", async () => {
  const app = await openTestApp();
  const service = await startService("api", { ...settingsOf(app), PUBLIC_URL: "https://push.example.org" });
  expect(service.output()).toContain(`listens on ${service.url} for https://push.example.org"`);
  expect(service.output()).not.toContain("ssh -L");
});

test("a start without a writable DATA_DIR still logs the link", async () => {
  const app = await openTestApp();
  const DATA_DIR = "/dev/null/data";
  const service = await startService("api", { ...settingsOf(app), DATA_DIR });
  expect(service.output()).toContain(`/?setup=${setUpToken(app)}`);
});

test("a start with a tenant logs no link, and removes the old one", async () => {
  const app = await openTestApp();
  await createPublisher(app);
  const DATA_DIR = await temporaryFolder();
  const file = join(DATA_DIR, "setup-link");
  await writeFile(file, `http://127.0.0.1:8080/?setup=${setUpToken(app)}\n`);
  const service = await startService("api", { ...settingsOf(app), DATA_DIR });
  expect(service.output()).not.toContain("setup=");
  await expect(stat(file)).rejects.toThrow("ENOENT");
});
