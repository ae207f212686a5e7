import { describe, expect, test } from "vitest";
import { assessDisk } from "../../src/doctor/disk.ts";
import { assessPublicUrl, checkPublicUrl } from "../../src/doctor/public-url.ts";
import { checkPushServices, pushServicesToReach } from "../../src/doctor/push-services.ts";
import { checkSiteInstallation } from "../../src/doctor/site-installation.ts";
import { assessSubject } from "../../src/doctor/vapid-subject.ts";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { type Answerer, startPageServer, trust } from "../egress/page-fixture.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { startTlsPeer } from "../fixtures/tls-peer.ts";

const trusted = await createCertificate("doctor");
const untrusted = await createCertificate("stranger");
const past = (days: number) => new Date(Date.now() - days * 86_400_000);
const ended = await createCertificate("ended", undefined, { from: past(30), until: past(1) });
trust(trusted);
trust(ended);

async function startSite(answer: Answerer, certificate = trusted): Promise<string> {
  const { port, close } = await startPageServer(certificate, answer);
  afterFile(close);
  return `https://localhost:${port}`;
}

describe("push services", () => {
  test("are the four known ones and those of PUSH_SERVICES", () => {
    const services = pushServicesToReach(["https://push.example.org:8443"]);
    expect(services.map(({ name }) => name)).toEqual(["FCM", "Mozilla", "Apple", "WNS", "push.example.org:8443"]);
  });

  test("that answer are ok; the others are warnings that name what to fix or open", async () => {
    const origin = await startSite(() => {});
    const stranger = await startTlsPeer({ ...untrusted, ALPNProtocols: ["http/1.1"] }, () => {});
    afterFile(stranger.close);
    const closed = "https://127.0.0.1:1";
    const services = [origin, stranger.origin, closed, "https://push.invalid"].map((each) => ({
      name: "P",
      origin: each,
    }));
    const found = await checkPushServices(services);
    expect(found.map(({ level }) => level)).toEqual(["ok", "warning", "warning", "warning"]);
    expect(found[1]!.message).toMatch(/is not trusted.*NODE_EXTRA_CA_CERTS/);
    expect(found[2]!.message).toMatch(/ECONNREFUSED.*open outbound TCP port \d+ to it/);
    expect(found[3]!.message).toMatch(/push\.invalid does not resolve/);
  });
});

describe("PUBLIC_URL", () => {
  const health = JSON.stringify({ status: "ok", version: "1.2.3" });
  const ok: Answerer = (request, response) =>
    response.writeHead(request.url === "/in/healthz" ? 200 : 404).end(request.url === "/in/healthz" ? health : "");
  const other: Answerer = (_request, response) => response.writeHead(200).end("<title>Welcome</title>".repeat(100));

  test("is ok if /healthz below it answers 200 over https, with the days of its certificate", async () => {
    const url = `${await startSite(ok)}/in`;
    // The certificate of the tests is valid for ten days. The clock is set back by another ten.
    expect(await checkPublicUrl(url, () => Date.now() - 10 * 86_400_000)).toMatchObject({
      level: "ok",
      message: expect.stringMatching(/its certificate ends in (19|20) days/),
    });
    expect(await checkPublicUrl(url, Date.now)).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/ends in (9|10) days: renew it/),
    });
  });

  test.each([
    ["another answer", async () => startSite(ok), /answers 404 instead of 200/],
    ["an answer of another program", async () => startSite(other), /another program answers .*healthz: let the proxy/],
    ["a certificate that has ended", async () => startSite(ok, ended), /has ended: renew it/],
    ["a certificate of no CA", async () => startSite(ok, untrusted), /is not trusted \(\w+\)/],
    ["no server", async () => "https://127.0.0.1:1", /does not answer \(ECONNREFUSED\)/],
    ["a name without DNS", async () => "https://push.invalid", /does not resolve/],
  ])("fails with %s", async (_name, start, says) => {
    expect(await checkPublicUrl(await start(), Date.now)).toMatchObject({
      level: "failed",
      message: expect.stringMatching(says),
    });
  });

  test("that is unset, or plain http, is a warning", async () => {
    expect(await checkPublicUrl(undefined, Date.now)).toMatchObject({ level: "warning" });
    const answered = { kind: "answered", status: 200, body: health, certificateEndsAt: null } as const;
    expect(assessPublicUrl("http://push.example.org", answered, 0)).toMatchObject({ level: "warning" });
  });
});

describe("the VAPID subject", () => {
  test.each(["mailto:desk@mac.local", "https://localhost/", "mailto:desk@news.internal", "mailto:desk@news.test"])(
    "fails for %s, which Apple refuses",
    (subject) => {
      expect(assessSubject(subject, [])).toMatchObject({ level: "failed", message: expect.stringContaining("Apple") });
      expect(assessSubject(undefined, [subject]).level).toBe("failed");
    },
  );

  test("is ok on a public name, also the owners'; without any it is a warning", () => {
    expect(assessSubject("mailto:desk@example.org", []).level).toBe("ok");
    expect(assessSubject(undefined, ["mailto:desk@example.org"]).level).toBe("ok");
    expect(assessSubject(undefined, []).level).toBe("warning");
  });
});

test("a disk with the embedded database is a warning below 1 GiB, and fails below 256 MiB", () => {
  const mebibyte = 1024 * 1024;
  const levelOf = (free: number) => assessDisk("/data", free * mebibyte, true).level;
  expect([1_024, 1_023, 255].map(levelOf)).toEqual(["ok", "warning", "failed"]);
  expect(assessDisk("/data", 0, false).level).toBe("ok");
});

describe("a site's installation", () => {
  const base = "https://push.example.org";
  const siteId = "0197c000-0000-7000-8000-000000000001";
  const manifest = '{ "display": "standalone", "icons": [{ "src": "/icon.png" }] }';
  const script = (id: string) =>
    `<script async src="${base}/sdk/pressbell.js" data-site="${id}"></script><link rel="manifest" href="site.webmanifest">`;
  const workerLine = `importScripts("${base}/sdk/sites/${siteId}/worker.js");`;

  /** Checks a site that serves this page, and this worker file with this content type. */
  async function check(page: string, worker = workerLine, type = "text/javascript; charset=utf-8") {
    const siteUrl = await startSite((request, response) => {
      if (request.url === "/") response.writeHead(200, { "content-type": "text/html" }).end(page);
      else if (request.url === "/pressbell-sw.js") response.writeHead(200, { "content-type": type }).end(worker);
      else if (request.url === "/site.webmanifest") response.writeHead(200).end(manifest);
      else response.writeHead(404).end();
    });
    const pages = createPageFetcher({ allowHosts: ["localhost"] });
    afterFile(() => pages.close());
    return checkSiteInstallation(pages, { siteUrl: `${siteUrl}/`, siteId, base });
  }

  test("is ok if page and worker file are as the snippet says", async () => {
    expect((await check(script(siteId))).map(({ level }) => level)).toEqual(["ok", "ok"]);
  });

  test("is a warning without a manifest for iPhones and iPads", async () => {
    const findings = await check(script(siteId).replace("site.webmanifest", "none"));
    expect(findings[2]).toMatchObject({ level: "warning", message: expect.stringMatching(/iPads before iOS 26/) });
  });

  test.each([
    [
      "a page without the script",
      0,
      () => check("<link rel=manifest href=/site.webmanifest>"),
      /does not load Pressbell's script: put/,
    ],
    ["the script of another site", 0, () => check(script("other")), /for another site/],
    ["a worker of another type", 1, () => check(script(siteId), workerLine, "text/html"), /has the type text\/html/],
    ["a worker that imports nothing", 1, () => check(script(siteId), "// empty"), /add the line importScripts/],
    [
      "a worker that is elsewhere",
      1,
      () => check(script(siteId).replace("data-site", 'data-worker="/sw.js" data-site')),
      /\/sw\.js answers 404/,
    ],
  ])("fails with %s", async (_name, at, checked, says) => {
    const findings = await checked();
    expect(findings[at]).toMatchObject({ level: "failed", message: expect.stringMatching(says) });
    expect(findings[1 - at]!.level).toBe("ok");
  });
});
