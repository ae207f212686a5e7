import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { snippetOf } from "../../dashboard/src/components/snippet.ts";
import type { App } from "../../src/app.ts";
import { pagePaths } from "../../src/http/dashboard-page.ts";
import { readInstallSnippet } from "../../src/tenants/sites/install-snippet.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";

const sources = new URL("../../dashboard/src/", import.meta.url).pathname;
let app: App;
let api: Api;

beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: "https://push.news.example/bell" });
  api = await serve(app);
});

test("every page's path answers the page, or how to build it, with its content policy", async () => {
  const nonces = new Set<string>();
  for (const path of pagePaths) {
    const answer = await fetch(api.url + path.replace("*", "019"));
    const policy = answer.headers.get("content-security-policy")!;
    expect([200, 503]).toContain(answer.status);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe(answer.status === 200 ? "no-cache" : "no-store");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain("unsafe");
    nonces.add(/'nonce-([^']+)'/.exec(policy)![1]!);
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)/);
    if (answer.status === 200) expect(html).toContain('<base href="/bell/">');
  }
  expect(nonces.size).toBe(pagePaths.length);
});

test("an asset that does not exist, or lies outside the folder, is 404", async () => {
  for (const path of ["/assets/none.js", "/assets/../index.html", "/assets/%2e%2e/%2e%2e/package.json", "/assets/"]) {
    expect((await api.call("GET", path)).status, path).toBe(404);
  }
});

test("the dashboard imports from src/ only types, and files that import nothing", () => {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const imports = files.flatMap((name) =>
    [
      ...readFileSync(join(sources, name), "utf8").matchAll(/^import (type )?[^;]*?from "((?:\.\.\/)+src\/[^"]+)"/gms),
    ].map(([, type, from]) => ({ name, from, isType: type !== undefined })),
  );
  expect(imports.length).toBeGreaterThan(10);
  const values = imports.filter(({ isType }) => !isType);
  const importsMore = ({ name, from }: (typeof values)[number]) =>
    /^import /m.test(readFileSync(resolve(sources, dirname(name), from!), "utf8"));
  expect(values.filter(importsMore)).toEqual([]);
});

test("the dashboard shows the same install snippet as the service", async () => {
  const { tenantId, siteId, actor } = await createPublisher(app);
  const base = "https://push.news.example/bell";
  const { page, worker } = await readInstallSnippet(app, actor, { siteId, base });
  expect(snippetOf(base, { tenantId, siteId })).toEqual({ page, worker });
});
