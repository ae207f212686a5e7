import { connect, type Socket } from "node:net";
import { createServer, type TLSSocket, type TlsOptions } from "node:tls";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createPageFetcher, type PageFetcherOptions } from "../../src/egress/page/fetch-page.ts";
import { type Certificate, createCertificate } from "../fixtures/certificate.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdTimeouts, startCanary, startPageServer, trust } from "./page-fixture.ts";

let certificate: Certificate;
const toClose: (() => Promise<void>)[] = [];

beforeAll(async () => {
  certificate = await createCertificate("connections", ["press.test", "127.0.0.1"]);
  trust(certificate);
});
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

function fetcher(options: Partial<PageFetcherOptions>) {
  const made = createPageFetcher({ allowHosts: ["127.0.0.1"], ...options });
  toClose.push(made.close);
  return made;
}

/** Starts a TLS server. It calls `speak` with each socket on which data arrives. */
async function serveTls(speak: (socket: TLSSocket) => void, options: TlsOptions = {}): Promise<string> {
  const server = createServer({ ...certificate, ...options }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => speak(socket));
  });
  server.on("tlsClientError", () => {});
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  toClose.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `https://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

const bad = { kind: "unreachable", reason: "bad_answer" };
const page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<title>a</title";

describe("the address that was reached", () => {
  test("is checked before a byte is sent, even if the network connected elsewhere", async () => {
    let bytes = 0;
    const inside = await startCanary((socket) => void socket.on("data", (chunk) => (bytes += chunk.length)));
    toClose.push(inside.close);
    const asked: string[][] = [];
    const { fetchPage } = fetcher({
      allowHosts: [],
      allowPorts: [443],
      lookup: async () => ["93.184.216.34"],
      connectTcp: (_url, addresses) => {
        asked.push(addresses);
        return connect(inside.port, "127.0.0.1");
      },
    });
    expect(await fetchPage("https://press.test/")).toEqual({ kind: "unreachable", reason: "unreachable" });
    expect(asked).toEqual([["93.184.216.34"]]);
    expect([inside.connections(), bytes]).toEqual([1, 0]);
  });
});

describe("a host", () => {
  test.each([
    ["no HTTP", "SSH-2.0-server\r\n"],
    ["HTTP/0.9", "<title>a</title>"],
    ["two lengths", page.replace("content-length: 15", "content-length: 15\r\ncontent-length: 16")],
    ["length and chunks", page.replace("content-length: 15", "content-length: 15\r\ntransfer-encoding: chunked")],
    ["a number that is no status", page.replace("200 OK", "2000 OK")],
    ["a head of more than 32 KiB", page.replace("text/html", `text/html\r\nx: ${"a".repeat(33_000)}`)],
    [
      "endless chunk extensions",
      `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n1;${"a".repeat(100_000)}`,
    ],
  ])("that answers with %s has a bad answer", async (_way, answer) => {
    const url = await serveTls((socket) => void socket.end(answer));
    expect(await fetcher({}).fetchPage(url)).toEqual(bad);
  });

  test("that sends early hints is waited for, and what they link to is not fetched", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nlink: <https://127.0.0.1:1/a.css>; rel=preload\r\n\r\n";
    const url = await serveTls((socket) => void socket.end(hints + page));
    expect(await fetcher({}).fetchPage(url)).toMatchObject({ kind: "page", status: 200 });
  });

  test("that sends endless early hints is given up at the deadline", async () => {
    const passTime = holdTimeouts();
    let hints = 0;
    const url = await serveTls((socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n", () => (hints += 1)), 5);
      socket.on("close", () => clearInterval(timer));
    });
    const fetched = fetcher({}).fetchPage(url);
    await eventually(async () => hints > 20);
    passTime(8_000);
    expect(await fetched).toEqual({ kind: "unreachable", reason: "timeout" });
  });

  test("that offers only TLS 1.1 is refused", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const url = await serveTls((socket) => void socket.end(page), old);
    expect(await fetcher({}).fetchPage(url)).toEqual({ kind: "unreachable", reason: "tls" });
  });
});

describe("concurrent fetches", () => {
  test("wait for a slot; one that gets none in time is busy, and other requesters are not blocked", async () => {
    const arrived = Promise.withResolvers<void>();
    let count = 0;
    const tarpit = await startPageServer(certificate, () => {
      count += 1;
      if (count === 2) arrived.resolve();
    });
    const quick = await startPageServer(certificate, (_, response) => response.end("<title>a</title>"));
    toClose.push(tarpit.close, quick.close);
    const { fetchPage, close } = fetcher({ maxConcurrent: 3, maxPerRequester: 2, slotWaitMs: 100 });
    const stuck = [1, 2].map(() => fetchPage(`https://127.0.0.1:${tarpit.port}/`, "one"));
    await arrived.promise;
    expect(await fetchPage(`https://127.0.0.1:${quick.port}/`, "one")).toEqual({ kind: "busy" });
    expect(await fetchPage("http://127.0.0.1/", "one")).toMatchObject({ kind: "refused" });
    for (let i = 0; i < 5; i += 1) {
      expect(await fetchPage(`https://127.0.0.1:${quick.port}/`, "other")).toMatchObject({ kind: "page" });
    }
    await close();
    expect(await Promise.all(stuck)).toMatchObject([{ kind: "unreachable" }, { kind: "unreachable" }]);
  });
});
