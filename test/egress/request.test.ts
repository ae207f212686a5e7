import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { createPageFetcher, type PageFetcher } from "../../src/egress/page/fetch-page.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { type Answerer, startCanary, startPageServer, trust } from "./page-fixture.ts";

let pages: PageFetcher;
let origin: string;
let answer: Answerer;

beforeAll(async () => {
  const certificate = await createCertificate("requests");
  trust(certificate);
  const server = await startPageServer(certificate, (request, response) => answer(request, response));
  pages = createPageFetcher({ allowHosts: [`localhost:${server.port}`] });
  afterFile(async () => {
    await pages.close();
    await server.close();
  });
  origin = `https://localhost:${server.port}`;
});

const pdf = { "content-type": "application/pdf" };

test("a request has the caller's headers and default ones, and returns status and headers", async () => {
  let seen: Record<string, unknown> = {};
  answer = (request, response) => {
    seen = request.headers;
    response.writeHead(304, { etag: '"v1"' }).end();
  };
  const result = await pages.request(`${origin}/feed`, { headers: { "if-none-match": '"v1"', accept: "text/xml" } });
  expect(result).toMatchObject({ kind: "answer", status: 304, url: `${origin}/feed`, headers: { etag: '"v1"' } });
  expect(seen).toMatchObject({ "if-none-match": '"v1"', accept: "text/xml", "accept-encoding": "gzip, br" });
});

test.each([
  [[301, 308], "/2"],
  [[301, 302, 301], "/1"],
  [[302, 301], null],
  [[], null],
] as const)("after redirects with %j it says where the address has moved for good: %j", async (statuses, path) => {
  answer = (request, response) => {
    const n = Number(request.url!.slice(1));
    if (statuses[n] === undefined) response.writeHead(200).end();
    else response.writeHead(statuses[n], { location: `/${n + 1}` }).end();
  };
  const url = `${origin}/${statuses.length}`;
  expect(await pages.request(`${origin}/0`, {})).toMatchObject({ url, movedTo: path && origin + path });
});

test("brotli that breaks off, is none, or grows a thousandfold stays within the limit", async () => {
  const send = (body: Buffer) => {
    answer = (_request, response) => void response.writeHead(200, { "content-encoding": "br" }).end(body);
    return pages.request(origin, { maxBytes: 100_000 });
  };
  const packed = brotliCompressSync(Buffer.alloc(50_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  expect(packed.length).toBeLessThan(50_000);
  expect(await send(packed)).toEqual({ kind: "unreachable", reason: "too_large" });
  const short = brotliCompressSync(Buffer.from("x".repeat(5_000)));
  expect(await send(short.subarray(0, short.length - 2))).toEqual({ kind: "unreachable", reason: "bad_answer" });
  expect(await send(Buffer.from("no brotli"))).toEqual({ kind: "unreachable", reason: "bad_answer" });
});

test("a POST sends its body, and does not follow a redirect", async () => {
  const seen: string[] = [];
  answer = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(307, { location: "/other" }).end();
  };
  const result = await pages.request(`${origin}/hub`, { method: "POST", body: "a=1" });
  expect(result).toMatchObject({ kind: "answer", status: 307 });
  expect(seen).toEqual(["POST /hub a=1"]);
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
] as const)("a body of %s over the limit is refused, or cut if the caller wants that", async (coding, compress) => {
  answer = (_request, response) =>
    void response.writeHead(200, { "content-encoding": coding }).end(compress("x".repeat(5_000)));
  expect(await pages.request(origin, { maxBytes: 1_000 })).toEqual({ kind: "unreachable", reason: "too_large" });
  const cut = await pages.request(origin, { maxBytes: 1_000, cuts: true });
  expect(cut).toMatchObject({ kind: "answer", isCut: true });
  expect(cut.kind === "answer" && cut.body.toString()).toBe("x".repeat(1_000));
  const whole = await pages.request(origin, { maxBytes: 5_000, cuts: true });
  expect(whole).toMatchObject({ isCut: false });
});

test("a body of another type is read if the caller accepts any type", async () => {
  answer = (_request, response) => void response.writeHead(200, pdf).end("<rss/>");
  const bodyOf = async (anyType: boolean) => {
    const result = await pages.request(origin, { anyType });
    return result.kind === "answer" && result.body.toString();
  };
  expect(await bodyOf(false)).toBe("");
  expect(await bodyOf(true)).toBe("<rss/>");
});

test("a request that its caller aborts ends, before its start and in the middle", async () => {
  const asked = Promise.withResolvers<void>();
  answer = () => asked.resolve();
  const stop = new AbortController();
  const ending = pages.request(origin, { signal: stop.signal });
  await asked.promise;
  stop.abort();
  expect(await ending).toEqual({ kind: "unreachable", reason: "timeout" });
  expect(await pages.request(origin, { signal: stop.signal })).not.toMatchObject({ kind: "answer" });
});

test("a request may trust a host that others may not reach, and return redirects", async () => {
  const guarded = createPageFetcher({ allowHosts: [] });
  afterFile(guarded.close);
  const allowHosts = [new URL(origin).host];
  answer = (_request, response) => void response.writeHead(302, { location: "/other" }).end();
  const redirect = { kind: "answer", status: 302, url: `${origin}/` };
  expect(await guarded.request(origin, { allowHosts, noRedirects: true })).toMatchObject(redirect);
  expect(await guarded.request(origin, { allowHosts })).toEqual({ kind: "unreachable", reason: "too_many_redirects" });
  expect(await guarded.request(origin, {})).toEqual({ kind: "refused", reason: "address" });
  expect(await guarded.fetchPage(origin)).toEqual({ kind: "refused", reason: "address" });
});

test("a request passes the guard of a page: its scheme, its address, and after a redirect", async () => {
  const canary = await startCanary();
  afterFile(canary.close);
  const post = { method: "POST" as const, body: "x" };
  expect(await pages.request("http://localhost/", post)).toEqual({ kind: "refused", reason: "scheme" });
  expect(await pages.request(`https://127.0.0.1:${canary.port}/`, post)).toEqual({
    kind: "refused",
    reason: "address",
  });
  answer = (_request, response) =>
    void response.writeHead(302, { location: `https://127.0.0.1:${canary.port}/` }).end();
  expect(await pages.request(origin, {})).toEqual({ kind: "unreachable", reason: "unreachable" });
  expect(canary.connections()).toBe(0);
});
