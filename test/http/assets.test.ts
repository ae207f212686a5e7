import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { readRaw, sendRaw } from "./raw.ts";

const script = "export const bell = 1;\n";
let built: Api;
let notBuilt: Api;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-dashboard-"));
  afterFile(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "assets/fonts"), { recursive: true });
  await writeFile(join(folder, "index.html"), "<!doctype html><html><head></head></html>");
  await writeFile(join(folder, "assets/bell.js"), script);
  const app = await openTestApp();
  built = await serve(app, { dashboardFolder: `${folder}/` });
  notBuilt = await serve(app, { dashboardFolder: `${folder}/none/` });
});

/** Sends over a plain socket, because fetch would normalize these paths. */
const get = (api: Api, path: string, header = "X-None: 1", method = "GET") =>
  sendRaw(api.url, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\nConnection: close\r\n\r\n`);

describe.each([
  ["is built", () => built],
  ["is not built", () => notBuilt],
] as const)("where the dashboard %s", (_, api) => {
  test.each([
    "/assets",
    "/assets/",
    "/assets/none.js",
    "/assets/fonts",
    "/assets/fonts/",
    "/assets/./bell.js",
    "/assets//bell.js",
    "/assets/bell.js/",
    "/assets/bell.js/x",
    "/assets/BELL.js",
    "/assets/../x",
    "/assets/../index.html",
    "/assets/fonts/../../index.html",
    "/assets/fonts/../bell.js",
    "/assets/%2e%2e/x",
    "/assets/%2e%2e/index.html",
    "/assets/..%2findex.html",
    "/assets/..%5cx",
    "/assets/..\\index.html",
    "/assets/%00",
    "/assets/bell.js%00",
    "/assets//etc/passwd",
    "/assets/%2fetc%2fpasswd",
    "/assets/%F0%9F%97%9E",
    `/assets/${"x".repeat(400)}`,
    `/assets/${"x/".repeat(2_500)}`,
  ])("%s is 404 not_found", async (path) => {
    const { status, body } = readRaw(await get(api(), path));
    expect({ status, code: body.code }).toEqual({ status: 404, code: "not_found" });
    expect(readRaw(await get(api(), path, undefined, "HEAD")).status).toBe(404);
  });
});

test("a path that cannot be decoded is 400 bad_request", async () => {
  expect(readRaw(await get(built, "/assets/%zz"))).toMatchObject({ status: 400, body: { code: "bad_request" } });
});

test("an asset is sent whole and immutable", async () => {
  const answer = await fetch(`${built.url}/assets/bell.js`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await answer.text()).toBe(script);
  const known = await get(built, "/assets/bell.js", `If-None-Match: ${answer.headers.get("etag")}`);
  expect(known).toMatch(/^HTTP\/1.1 304 /);
});

test.each(["bytes=0-3", "bytes=99999999-", "bytes=9-1", "bytes=0-1,3-4", "x"])(
  "a request for the range %s gets the whole file",
  async (range) => {
    const answer = await get(built, "/assets/bell.js", `Range: ${range}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain(script);
  },
);

test.each(["If-Match: x", 'If-Match: "x"', "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:01 GMT"])(
  "a precondition that fails (%s) is 404 not_found, not cached",
  async (header) => {
    const { status, head, body } = readRaw(await get(built, "/assets/bell.js", header));
    expect({ status, code: body.code }).toEqual({ status: 404, code: "not_found" });
    expect(head).toMatch(/\r\ncache-control: no-store\r\n/i);
  },
);

test.each(["If-Unmodified-Since: x", "If-Modified-Since: x", "If-None-Match: x", "If-Range: x"])(
  "an invalid condition (%s) is ignored",
  async (header) => {
    expect(await get(built, "/assets/bell.js", header)).toMatch(/^HTTP\/1.1 200 /);
  },
);

test("a file has no headers that protect pages, and keeps those of files", async () => {
  const { headers } = await fetch(`${built.url}/assets/bell.js`);
  for (const name of ["content-security-policy", "x-frame-options", "referrer-policy", "cross-origin-opener-policy"])
    expect(headers.get(name), name).toBe(null);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  const page = await fetch(`${built.url}/sign-in`);
  expect(page.headers.get("x-frame-options")).toBe("DENY");
});
