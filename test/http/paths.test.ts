import { beforeAll, describe, expect, test } from "vitest";
import { v1Routes } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { readRaw, sendRaw } from "./raw.ts";

let api: Api;
let key: string;

beforeAll(async () => {
  const app = await openTestApp();
  api = await serve(app);
  key = (await createPublisher(app)).apiKey;
});

/** Sends over a plain socket, because fetch would normalize these paths. */
const get = async (path: string, method = "GET") =>
  readRaw(
    await sendRaw(
      api.url,
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    ),
  );

const id = newId();

test.each([
  "/v1",
  "/v1/",
  "/v1/unknown",
  `/V1/runs/${id}`,
  `/v2/runs/${id}`,
  `//v1/runs/${id}`,
  `/v1/../v1/runs/${id}`,
  `/v1/runs/${id}/`,
  `/v1/runs//stop`,
  "/v1/runs/%2e%2e",
  "/v1/runs/a%2fb",
  "/v1/runs/%00",
  `/v1/runs/${"x".repeat(5_000)}`,
  "/v1/runs/'%20OR%201=1--",
  "/v1/runs/{{7*7}}",
  "/v1/runs/..%2f..%2fetc%2fpasswd",
  "/v1/runs/%F0%9F%97%9E",
])("%s is 404 not_found", async (path) => {
  const { status, body, head } = await get(path);
  expect({ status, code: body.code }).toEqual({ status: 404, code: "not_found" });
  expect(head).toMatch(new RegExp(`x-request-id: ${body.requestId}`, "i"));
  expect(head).toMatch(/content-type: application\/json/i);
});

test.each(["/v1/runs/%zz", "/v1/runs/%", "/v1/runs/%c3"])("%s is 400 bad_request", async (path) => {
  expect(await get(path)).toMatchObject({ status: 400, body: { code: "bad_request", requestId: expect.any(String) } });
});

test("an unknown path is 404 before authentication, with any body", async () => {
  const headers = { "content-type": "text/plain", "content-encoding": "gzip" };
  const answer = await api.call("POST", "/v1/unknown", { body: "x".repeat(100_000), headers });
  expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("unknown query parameters are ignored", async () => {
  expect((await get(`/v1/runs/${id}?a[]=1&__proto__=x&constructor=1&%00=%00`)).status).toBe(404);
});

describe("a wrong method is 405 with Allow", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];
  const paths = [...new Set(v1Routes.map((route) => route.path))];

  test.each(paths)("%s", async (path) => {
    const allowed = v1Routes.filter((route) => route.path === path).map((route) => route.method as string);
    for (const method of methods.filter((name) => !allowed.includes(name))) {
      const { status, head, body } = await get(path.replaceAll(/:\w+/g, id), method);
      expect({ method, status }).toEqual({ method, status: 405 });
      const allow = /\r\nallow: (.*)/i.exec(head)?.[1]?.split(", ");
      expect(allow?.sort()).toEqual([...allowed].sort());
      if (method !== "HEAD") expect(body.code).toBe("method_not_allowed");
    }
  });

  test("also with an invalid body", async () => {
    const answer = await api.call("PUT", `/v1/runs/${id}`, { body: "{", headers: { "content-type": "text/plain" } });
    expect(answer.status).toBe(405);
  });

  test("also for a preflight, and without any CORS header", async () => {
    const headers = { origin: "https://news.example", "access-control-request-method": "POST" };
    const answers = [
      await api.call("OPTIONS", "/v1/content/preview", { headers }),
      await api.call("GET", `/v1/runs/${id}`, { key, headers }),
      await api.call("GET", "/v1/unknown", { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 403, 404]);
    for (const answer of answers) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("an override header changes nothing", async () => {
    const answer = await api.call("GET", `/v1/runs/${id}`, { key, headers: { "x-http-method-override": "DELETE" } });
    expect(answer.status).toBe(404);
  });
});

test("every answer has the headers that prevent caching and framing", async () => {
  for (const path of ["/v1/unknown", `/v1/runs/${id}`, "/healthz", "/v1/content/preview"]) {
    const { headers, status } = await api.call("GET", path, { key });
    expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    expect({ path, status, cache: headers.get("cache-control") }).toMatchObject({ cache: "no-store" });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("server")).toBeNull();
  }
});

test("the answer is JSON for any Accept", async () => {
  const answer = await api.call("GET", `/v1/runs/${id}`, { key, headers: { accept: "text/xml" } });
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
});
