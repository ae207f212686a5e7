import { beforeAll, describe, expect, test } from "vitest";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { readRaw, sendRaw } from "./raw.ts";

/** Sends over a plain socket, because fetch sets the Host itself. */
async function get(api: Api, host: string, path = "/dashboard/api/start", lines = "") {
  return readRaw(await sendRaw(api.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}Connection: close\r\n\r\n`));
}

describe("a service at PUBLIC_URL, with a further name", () => {
  let api: Api;
  beforeAll(async () => {
    const settings = {
      PUBLIC_URL: "https://Push.example.org:8443/pressbell",
      ALLOW_HOSTS_HEADER: "Pressbell.internal, cms.internal:8080, 10.0.0.7, [fd00::7]",
    };
    api = await serve(await openTestApp(settings));
  });

  test.each([
    ...["localhost", "LOCALHOST:1234", "localhost.", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8080"],
    ...["push.example.org", "PUSH.example.org", "push.example.org.:8443", "push.example.org:80"],
    ...["pressbell.internal", "pressbell.internal:9", "cms.internal:8080", "10.0.0.7:8080", "[fd00::7]:8080"],
  ])("answers to %s", async (host) => {
    expect((await get(api, host)).status).toBe(200);
  });

  test.each([
    ...["evil.example", "evil.example:8080", "localhost.evil.example", "push.example.org.evil.example", "127.0.0.2"],
    ...["push", "example.org", "cms.internal", "cms.internal:8081", "10.0.0.8", "[::2]", "::1", "", ":8080", "0.0.0.0"],
  ])("refuses the host '%s' on every route, also on an unknown one", async (host) => {
    for (const path of ["/dashboard/api/start", "/", "/v1/runs/x", "/sdk/pressbell.js", "/metrics", "/unknown"]) {
      expect(await get(api, host, path), path).toMatchObject({ status: 421, body: { code: "wrong_host" } });
    }
  });

  test.each(["/healthz", "/readyz"])("answers %s to every host", async (path) => {
    expect((await get(api, "evil.example", path)).status).toBe(200);
  });

  test("does not believe X-Forwarded-Host", async () => {
    const forwarded = (host: string) => `X-Forwarded-Host: ${host}\r\n`;
    expect((await get(api, "evil.example", undefined, forwarded("push.example.org"))).status).toBe(421);
    expect((await get(api, "localhost", undefined, forwarded("evil.example"))).status).toBe(200);
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7:8080"],
  ["fd00::7", "[fd00::7]"],
  ["Push.internal", "push.internal"],
])("a service on HOST %s answers to it, and to localhost, and to no other", async (HOST, host) => {
  const api = await serve(await openTestApp({ HOST }));
  expect((await get(api, host)).status).toBe(200);
  expect((await get(api, "localhost")).status).toBe(200);
  expect((await get(api, "evil.example")).body.message).toMatch(/Set PUBLIC_URL .*ALLOW_HOSTS_HEADER\.$/);
});

test("behind a proxy that is trusted, the host is the one that the proxy names", async () => {
  const api = await serve(await openTestApp({ PUBLIC_URL: "https://push.example.org", TRUST_PROXY: "1" }));
  const forwarded = (host: string) => `X-Forwarded-Host: ${host}\r\n`;
  expect((await get(api, "backend", undefined, forwarded("push.example.org"))).status).toBe(200);
  expect((await get(api, "localhost", undefined, forwarded("evil.example"))).status).toBe(421);
  expect((await get(api, "backend")).status).toBe(421);
});

test("a page whose name resolves to this machine (DNS rebinding) cannot set the service up", async () => {
  const api = await serve(await openTestApp());
  const post = `POST /dashboard/api/set-up HTTP/1.1\r\nHost: evil.example:8080\r\nOrigin: http://evil.example:8080\r\n`;
  const lines = "Content-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
  const refused = readRaw(await sendRaw(api.url, post + lines));
  expect(refused).toMatchObject({ status: 421, body: { code: "wrong_host" } });
  const { port } = new URL(api.url);
  expect(refused.body.message).toContain(`http://localhost:${port} through ssh -L ${port}:127.0.0.1:${port} SERVER.`);
});
