import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createPageFetcher, type PageFetcherOptions, type PageResult } from "../../src/egress/page/fetch-page.ts";
import { type Certificate, createCertificate } from "../fixtures/certificate.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type Answerer, holdTimeouts, startCanary, startPageServer, trust } from "./page-fixture.ts";

const html = "<!doctype html><title>City council votes on new bridge</title>";
const unreachable = { kind: "unreachable", reason: "unreachable" };

let certificate: Certificate;
let folder: string;
const toClose: (() => Promise<void>)[] = [];

beforeAll(async () => {
  certificate = await createCertificate("pages 1", ["press.test", "127.0.0.1"]);
  trust(certificate);
  folder = await mkdtemp(join(tmpdir(), "pages-"));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

async function serve(answer: Answerer, using = certificate) {
  const server = await startPageServer(using, answer);
  toClose.push(server.close);
  return server;
}

async function canary(...greet: Parameters<typeof startCanary>) {
  const listener = await startCanary(...greet);
  toClose.push(listener.close);
  return listener;
}

function fetcher(options: Partial<PageFetcherOptions>) {
  const made = createPageFetcher({
    allowHosts: [],
    lookup: async () => {
      throw new Error("ENOTFOUND");
    },
    ...options,
  });
  toClose.push(made.close);
  return made;
}

/** Fetches `path` from a server on loopback that the operator lists. */
async function fetchFrom(answer: Answerer, options: Partial<PageFetcherOptions> = {}, path = "/story") {
  const server = await serve(answer);
  const origin = `https://127.0.0.1:${server.port}`;
  const { fetchPage } = fetcher({ allowHosts: [`127.0.0.1:${server.port}`], ...options });
  return { origin, paths: server.paths, result: await fetchPage(origin + path) };
}

function sendHtml(response: ServerResponse, body: string | Buffer = html, headers: Record<string, string> = {}) {
  response.writeHead(200, { "content-type": "text/html; charset=UTF-8", ...headers }).end(body);
}

function* endless() {
  while (true) yield Buffer.alloc(65_536);
}

describe("a page", () => {
  test("has its URL, type, charset, robots headers and body, and the request has no cookie", async () => {
    let seen: Record<string, unknown> = {};
    const { origin, result } = await fetchFrom((request, response) => {
      seen = request.headers;
      response.setHeader("x-robots-tag", ["googlebot: noindex", "noarchive"]);
      sendHtml(response);
    });
    expect(result).toEqual({
      kind: "page",
      url: `${origin}/story`,
      status: 200,
      contentType: "text/html",
      charset: "utf-8",
      body: Buffer.from(html),
      robotsHeader: "googlebot: noindex\nnoarchive",
    });
    expect(seen).toMatchObject({ host: origin.slice(8), "accept-encoding": "gzip, br" });
    expect(seen).not.toHaveProperty("cookie");
    expect(seen).not.toHaveProperty("authorization");
  });

  test("is requested without its fragment, and an encoded line break stays encoded", async () => {
    const { origin, paths, result } = await fetchFrom((_, response) => sendHtml(response), {}, "/a%0d%0aX-A:1?q=1#x");
    expect(paths).toEqual(["/a%0d%0aX-A:1?q=1"]);
    expect(result).toMatchObject({ url: `${origin}/a%0d%0aX-A:1?q=1` });
  });

  test("is decompressed if it is sent as gzip", async () => {
    const { result } = await fetchFrom((_, response) =>
      sendHtml(response, gzipSync(html), { "content-encoding": "gzip" }),
    );
    expect(result).toMatchObject({ kind: "page", body: Buffer.from(html) });
  });

  test.each([204, 401, 404, 410, 500, 999])("with status %i is a page without a body", async (status) => {
    const { result } = await fetchFrom((_, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end(status === 204 ? undefined : html);
    });
    expect(result).toMatchObject({ kind: "page", status, body: Buffer.alloc(0) });
  });

  test("that is a film is not downloaded", async () => {
    const { result } = await fetchFrom((_, response) => {
      response.writeHead(200, { "content-type": "video/mp4" }).write(Buffer.alloc(100_000));
    });
    expect(result).toMatchObject({ kind: "page", contentType: "video/mp4", body: Buffer.alloc(0) });
  });

  test("from a name is fetched with that name in SNI and Host, after a single look-up", async () => {
    const server = await serve((_, response) => sendHtml(response));
    let lookups = 0;
    const { fetchPage } = fetcher({
      allowHosts: [`press.test:${server.port}`],
      lookup: async () => (lookups++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]),
    });
    expect(await fetchPage(`https://press.test.:${server.port}/`)).toMatchObject({ kind: "page", status: 200 });
    expect(lookups).toBe(1);
  });
});

test("a listed name is resolved by the system, and its first address that answers is used", async () => {
  const forLocalhost = await createCertificate("pages 2", ["localhost", "127.0.0.1"]);
  trust(forLocalhost);
  const server = await serve((_, response) => sendHtml(response), forLocalhost);
  const { fetchPage, close } = createPageFetcher({ allowHosts: ["localhost"] });
  toClose.push(close);
  expect(await fetchPage(`https://localhost:${server.port}/`)).toMatchObject({ kind: "page", status: 200 });
});

describe("a URL that is refused by itself", () => {
  test.each(["https://127.0.0.1", "https://[::1]", "https://localhost", "https://user@127.0.0.1"])(
    "causes no connection: %s",
    async (origin) => {
      const inside = await canary();
      const { fetchPage } = fetcher({ lookup: async () => ["127.0.0.1"], allowPorts: [443, inside.port] });
      expect(await fetchPage(`${origin}:${inside.port}/`)).toMatchObject({ kind: "refused" });
      expect(inside.connections()).toBe(0);
    },
  );
});

describe("a name that resolves to no public address", () => {
  const answers: [kind: string, ...addresses: string[]][] = [
    ["no address"],
    ["loopback", "127.0.0.1"],
    ["unspecified", "0.0.0.0"],
    ["IPv6 loopback", "::1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["a public address and a private one", "93.184.216.34", "10.0.0.1"],
    ["loopback and a public address", "127.0.0.1", "93.184.216.34"],
    ["a public IPv4 address and IPv6 loopback", "93.184.216.34", "::1"],
    ["not an address", "127.1"],
  ];
  test.each(answers)(
    "looks like a name without an address, and causes no connection: %s",
    async (_kind, ...addresses) => {
      const inside = await canary();
      const { fetchPage } = fetcher({ lookup: async () => addresses, allowPorts: [inside.port] });
      expect(await fetchPage(`https://press.example:${inside.port}/`)).toEqual(unreachable);
      expect(inside.connections()).toBe(0);
    },
  );

  test("looks the same as an unknown name, a closed port and a silent resolver", async () => {
    const gone = await startCanary();
    await gone.close();
    const allowHosts = [`127.0.0.1:${gone.port}`];
    expect(await fetcher({}).fetchPage("https://press.example/")).toEqual(unreachable);
    expect(await fetcher({ allowHosts }).fetchPage(`https://127.0.0.1:${gone.port}/`)).toEqual(unreachable);
    const silent = fetcher({ lookup: () => new Promise(() => {}), deadlineMs: 50 });
    expect(await silent.fetchPage("https://press.example/")).toEqual(unreachable);
  });
});

describe("redirects", () => {
  const redirect =
    (location: string | undefined): Answerer =>
    (_, response) => {
      response.writeHead(302, location === undefined ? {} : { location }).end();
    };
  const chain: Answerer = (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) return sendHtml(response);
    response.writeHead(301 + (left % 2), { location: `/${left - 1}` }).end();
  };

  test("are followed three times", async () => {
    const { origin, result } = await fetchFrom(chain, {}, "/3");
    expect(result).toMatchObject({ kind: "page", url: `${origin}/0` });
  });

  test("are not followed a fourth time, which ends a redirect loop", async () => {
    const four = await fetchFrom(chain, {}, "/4");
    expect(four.result).toEqual({ kind: "unreachable", reason: "too_many_redirects" });
    expect(four.paths).toEqual(["/4", "/3", "/2", "/1"]);
    const circle = await fetchFrom((request, response) =>
      redirect(request.url === "/a" ? "/b" : "/a")(request, response),
    );
    expect(circle.result).toEqual({ kind: "unreachable", reason: "too_many_redirects" });
  });

  test("to internal addresses end as unreachable, in every spelling, and cause no connection", async () => {
    const inside = await canary();
    const at = (host: string) => `${host}:${inside.port}/`;
    const locations = [
      ...["127.0.0.1", "127.1", "2130706433", "[::ffff:7f00:1]", "localhost", "inside.example"].map(
        (h) => `https://${at(h)}`,
      ),
      `//${at("127.0.0.1")}`,
      `/\\${at("127.0.0.1")}`,
      `http://${at("127.0.0.1")}`,
      `https://user:pw@${at("press.example")}`,
    ];
    for (const location of locations) {
      const options = { lookup: async () => ["127.0.0.1"], allowPorts: [443, inside.port] };
      const { result } = await fetchFrom(redirect(location), options);
      expect(result, location).toEqual(unreachable);
    }
    expect(inside.connections()).toBe(0);
  });

  test.each([
    "http://press.example/",
    "file:///etc/passwd",
    "gopher://a.example/",
    "data:text/html,x",
    `/${"a".repeat(5000)}`,
    "https://",
  ])("to URLs that are not allowed end as unreachable, row %#", async (location) =>
    expect((await fetchFrom(redirect(location))).result).toEqual(unreachable),
  );

  test.each([undefined, ""])("without a target are a page with their status", async (location) => {
    expect((await fetchFrom(redirect(location))).result).toMatchObject({ kind: "page", status: 302 });
  });

  test("by a Refresh header are not followed", async () => {
    const { paths } = await fetchFrom((_, response) =>
      sendHtml(response, html, { refresh: "0;url=/b", link: "</c>; rel=preload" }),
    );
    expect(paths).toEqual(["/story"]);
  });
});

describe("limits of size", () => {
  const limit = 2 * 1024 * 1024;
  const lengthOf = (result: PageResult) => (result.kind === "page" ? result.body.length : result.kind);

  test("a page of exactly the limit is read whole, and of a longer one the first part", async () => {
    const send: Answerer = (request, response) => sendHtml(response, Buffer.alloc(Number(request.url?.slice(1))));
    for (const bytes of [limit - 1, limit, limit + 1]) {
      expect(lengthOf((await fetchFrom(send, {}, `/${bytes}`)).result)).toBe(Math.min(bytes, limit));
    }
  });

  test("an endless page is read up to the limit", async () => {
    const { result } = await fetchFrom((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      pipeline(Readable.from(endless()), response, () => {});
    });
    expect(lengthOf(result)).toBe(limit);
  });

  test("of a gzip bomb no more than the limit is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const { result } = await fetchFrom((_, response) => sendHtml(response, bomb, { "content-encoding": "gzip" }));
    expect(lengthOf(result)).toBe(limit);
  });

  test.each(["br", "zstd", "gzip, gzip"])(
    "an encoding that was not requested is a bad answer: %s",
    async (encoding) => {
      const { result } = await fetchFrom((_, response) => sendHtml(response, html, { "content-encoding": encoding }));
      expect(result).toEqual({ kind: "unreachable", reason: "bad_answer" });
    },
  );

  test("invalid gzip and a body that ends early are bad answers", async () => {
    const noGzip = await fetchFrom((_, response) => sendHtml(response, html, { "content-encoding": "gzip" }));
    const broken = await fetchFrom((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "1000" }).write(html);
      setImmediate(() => response.destroy());
    });
    for (const { result } of [noGzip, broken]) expect(result).toEqual({ kind: "unreachable", reason: "bad_answer" });
  });

  test("a host that closes without an answer gets one request", async () => {
    const { paths, result } = await fetchFrom((request) => void request.socket.destroy());
    expect(result).toEqual({ kind: "unreachable", reason: "bad_answer" });
    expect(paths).toEqual(["/story"]);
  });

  test("a host that closes after the handshake gets one connection", async () => {
    let connections = 0;
    const server = createTlsServer(certificate, (socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    toClose.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { fetchPage } = fetcher({ allowHosts: ["127.0.0.1"] });
    const { port } = server.address() as AddressInfo;
    expect(await fetchPage(`https://127.0.0.1:${port}/`)).toEqual({ kind: "unreachable", reason: "bad_answer" });
    expect(connections).toBe(1);
  });

  test("a megabyte of headers is a bad answer", async () => {
    const { result } = await fetchFrom((_, response) =>
      sendHtml(response, html, { "set-cookie": "a".repeat(1_000_000) }),
    );
    expect(result).toEqual({ kind: "unreachable", reason: "bad_answer" });
  });
});

describe("limits of time", () => {
  test("a page that is sent slowly ends at the deadline, as does one that never starts", async () => {
    const passTime = holdTimeouts();
    const timeout = { kind: "unreachable", reason: "timeout" };
    let written = 0;
    let hasEnded = false;
    const drip = fetchFrom((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const timer = setInterval(() => response.write(".", () => (written += 1)), 5);
      response.on("close", () => clearInterval(timer));
    }).finally(() => {
      hasEnded = true;
    });
    await eventually(async () => written > 10);
    passTime(7_999);
    await eventually(async () => written > 20);
    expect(hasEnded).toBe(false);
    passTime(1);
    expect((await drip).result).toEqual(timeout);

    const asked = Promise.withResolvers<void>();
    const silent = fetchFrom(() => asked.resolve());
    await asked.promise;
    passTime(8_000);
    expect((await silent).result).toEqual(timeout);
  });

  test("closing the fetcher aborts fetches under way, and later ones end at once", async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serve(() => arrived.resolve());
    const { fetchPage, close } = fetcher({ allowHosts: ["127.0.0.1"] });
    const url = `https://127.0.0.1:${server.port}/`;
    const underWay = fetchPage(url);
    await arrived.promise;
    await close();
    expect(await underWay).toMatchObject({ kind: "unreachable" });
    expect(await fetchPage(url)).toEqual(unreachable);
    expect(server.paths).toHaveLength(1);
  });
});

describe("TLS", () => {
  const tls = { kind: "unreachable", reason: "tls" };
  const unreachable = { kind: "unreachable", reason: "unreachable" };

  test("an untrusted certificate is refused before a request is sent", async () => {
    const server = await serve(
      (_, response) => sendHtml(response),
      await createCertificate("pages 3", ["press.test", "127.0.0.1"]),
    );
    const { fetchPage } = fetcher({ allowHosts: ["127.0.0.1"] });
    expect(await fetchPage(`https://127.0.0.1:${server.port}/`)).toEqual(tls);
    expect(server.paths).toEqual([]);
  });

  test("a trusted certificate for another name is refused", async () => {
    const server = await serve((_, response) => sendHtml(response));
    const { fetchPage } = fetcher({ allowHosts: ["other.test"], lookup: async () => ["127.0.0.1"] });
    expect(await fetchPage(`https://other.test:${server.port}/`)).toEqual(tls);
  });

  test("a port that does not use TLS, or sends nothing, is refused in time", async () => {
    const passTime = holdTimeouts();
    const plain = await canary((socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const { fetchPage } = fetcher({ allowHosts: ["127.0.0.1"] });
    expect(await fetchPage(`https://127.0.0.1:${plain.port}/`)).toEqual(tls);
    const closing = await canary((socket) => void socket.destroy());
    expect(await fetchPage(`https://127.0.0.1:${closing.port}/`)).toEqual(unreachable);

    const greeted = Promise.withResolvers<unknown>();
    const mute = await canary((socket) => void socket.once("data", greeted.resolve));
    const fetched = fetchPage(`https://127.0.0.1:${mute.port}/`);
    await greeted.promise;
    passTime(3_000);
    expect(await fetched).toEqual({ kind: "unreachable", reason: "timeout" });
  });
});

describe("the environment", () => {
  test("NODE_EXTRA_CA_CERTS has an effect; proxies and NODE_TLS_REJECT_UNAUTHORIZED have none", async () => {
    const server = await serve((_, response) => sendHtml(response));
    const foreign = await serve(
      (_, response) => sendHtml(response),
      await createCertificate("pages 4", ["press.test", "127.0.0.1"]),
    );
    const proxy = await canary((socket) => void socket.destroy());
    const ca = join(folder, "ca.pem");
    await writeFile(ca, certificate.cert);
    const program = `
      import { createPageFetcher } from ${JSON.stringify(new URL("../../src/egress/page/fetch-page.ts", import.meta.url))};
      const { fetchPage } = createPageFetcher({ allowHosts: ["127.0.0.1"] });
      const results = await Promise.all(process.argv.slice(1).map((port) => fetchPage("https://127.0.0.1:" + port + "/")));
      console.log(JSON.stringify(results));`;
    const at = `http://127.0.0.1:${proxy.port}`;
    const env = {
      NODE_EXTRA_CA_CERTS: ca,
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: at,
      https_proxy: at,
      HTTP_PROXY: at,
      ALL_PROXY: at,
    };
    const args = ["--input-type=module", "-e", program, String(server.port), String(foreign.port)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    const results = JSON.parse(stdout) as PageResult[];
    expect(results).toMatchObject([
      { kind: "page", status: 200 },
      { kind: "unreachable", reason: "tls" },
    ]);
    expect(proxy.connections()).toBe(0);
  });
});
