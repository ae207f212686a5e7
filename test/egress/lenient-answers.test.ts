import type { Socket } from "node:net";
import { createServer } from "node:tls";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { createChunkReader } from "../../src/egress/page/lenient-chunks.ts";
import { lenientHead } from "../../src/egress/page/lenient-head.ts";
import { type Certificate, createCertificate } from "../fixtures/certificate.ts";
import { trust } from "./page-fixture.ts";

let certificate: Certificate;
const toClose: (() => Promise<void>)[] = [];

beforeAll(async () => {
  certificate = await createCertificate("lenient answers", ["127.0.0.1"]);
  trust(certificate);
});
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

/** Fetches from a server that answers with these chunks, one at a time, and then closes the connection. */
async function fetchBytes(chunks: Buffer[]) {
  const server = createServer(certificate, (socket) => {
    socket.on("error", () => {});
    socket.once("data", async () => {
      for (const chunk of chunks) await new Promise((written) => socket.write(chunk, written));
      socket.end();
    });
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  toClose.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as { port: number };
  const { fetchPage, close } = createPageFetcher({ allowHosts: ["127.0.0.1"] });
  toClose.push(close);
  return fetchPage(`https://127.0.0.1:${port}/`);
}

const html = "<!doctype html><title>Readable</title><h1>It is readable</h1>";
const head = (...lines: string[]) => ["HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", ...lines];
const length = `Content-Length: ${html.length}`;
const crlf = (lines: string[], body = html) => `${lines.join("\r\n")}\r\n\r\n${body}`;
const chunked = (lineEnd: string, extension = "") =>
  ["3", "", html.slice(0, 3), (html.length - 3).toString(16), extension, html.slice(3), "0", "", ""]
    .map((part, i) => (i % 3 === 0 ? part : part + lineEnd))
    .join("");

const answers: [string, string][] = [
  ["spaces in a header's name", crlf(head("X Powered By: CMS 4", length, "Connection: close"))],
  ["a space before the colon", crlf(head(`Content-Length : ${html.length}`))],
  ["other characters in a header's name", crlf(head("X-Ünlaut(1): a", length))],
  ["a header without a name", crlf(head(": a", length))],
  ["a line without a colon", crlf(head("Powered by CMS 4", length))],
  ["control characters in a value", crlf(head("X-A: \x01b\x0b\x1f\x7f", length))],
  ["a NUL in a value", crlf(head("X-A: a\0b", length))],
  ["a carriage return in a value", crlf(head("X-A: a\rb", length))],
  ["bytes beyond ASCII in a value", crlf(head("X-A: Zürich", length))],
  ["a folded value", crlf(head("X-A: a", " b", "\tc", length))],
  ["bare line feeds", `${head(length).join("\n")}\n\n${html}`],
  ["both kinds of line ends", `${head(length).join("\n")}\r\n\n${html}`],
  ["an empty line before it", `\r\n${crlf(head(length))}`],
  ["a control character in the status line", crlf(["HTTP/1.1 200 O\x02K", ...head(length).slice(1)])],
  ["no reason phrase", crlf(["HTTP/1.1 200", ...head(length).slice(1)])],
  ["its length twice", crlf(head(length, length))],
  ["its length twice in one header", crlf(head(`${length}, ${html.length}`))],
  ["chunks and a length", crlf(head("Content-Length: 5", "Transfer-Encoding: chunked"), chunked("\r\n"))],
  ["chunks with bare line feeds", crlf(head("Transfer-Encoding: chunked"), chunked("\n"))],
  ["chunks with extensions", crlf(head("Transfer-Encoding: chunked"), chunked("\r\n", ";a=b"))],
  ["chunks and trailers", crlf(head("Transfer-Encoding: chunked"), `${chunked("\n").slice(0, -1)}X: y\n\n`)],
  ["no length", crlf(head("Connection: close"))],
  ["HTTP/1.0", crlf(["HTTP/1.0 200 OK", ...head().slice(1)])],
  ["hints first, in bare line feeds", `HTTP/1.1 103 Early Hints\nA B: c\n\n${crlf(head("X Y: z", length))}`],
];

describe("an answer is read as browsers read it", () => {
  test.each(answers)("with %s", async (_what, answer) => {
    const bytes = Buffer.from(answer, "latin1");
    const read = { kind: "page", status: 200, contentType: "text/html", charset: "utf-8", body: Buffer.from(html) };
    expect(await fetchBytes([bytes])).toMatchObject(read);
    expect(await fetchBytes([bytes.subarray(0, 21), bytes.subarray(21, 60), bytes.subarray(60)])).toMatchObject(read);
  });

  test("a byte at a time", async () => {
    const bytes = Buffer.from(answers[0]![1], "latin1");
    const result = await fetchBytes(Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(result).toMatchObject({ kind: "page", status: 200, body: Buffer.from(html) });
  });

  test.each([
    ["two different lengths", crlf(head(length, "Content-Length: 5"))],
    ["a chunk that is longer than it says", crlf(head("Transfer-Encoding: chunked"), "2\nabc\n0\n\n")],
    ["a chunk without a size", crlf(head("Transfer-Encoding: chunked"), "a b\nabc\n0\n\n")],
    ["chunks without an end", crlf(head("Transfer-Encoding: chunked"), "3\nabc\n")],
    ["a body that ends early", crlf(head("Content-Length: 5000"))],
    ["no status", crlf(["HTTP/1.1 OK", length])],
    ["only a head that does not end", head(length).join("\r\n")],
  ])("and not at all with %s", async (_what, answer) => {
    expect(await fetchBytes([Buffer.from(answer)])).toEqual({ kind: "unreachable", reason: "bad_answer" });
  });
});

describe("any head becomes one that a strict parser takes", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 }).map((one) => Buffer.from(one).toString("latin1"));
  const nameOf = fc.constantFrom("Content-Length", "transfer-encoding", "X Y", "Set-Cookie", "Location", "");
  const line = fc.oneof(
    text,
    fc.tuple(nameOf, fc.constantFrom(":", " :", ": "), text).map((parts) => parts.join("")),
  );

  test("in lines of token, colon and printable value, at most as many as there were", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.constantFrom("\n", "\r\n"), (lines, lineEnd) => {
        const given = ["HTTP/1.1 200 OK", ...lines.filter((one) => one.trim() !== "")].join(lineEnd);
        const [status, ...fields] = lenientHead(given + lineEnd + lineEnd).split("\r\n");
        expect(status).toMatch(/^HTTP\/1\.1 200 OK/);
        expect(fields.splice(-2)).toEqual(["", ""]);
        for (const field of fields) expect(field).toMatch(/^[!#$%&'*+.^_`|~0-9a-z-]+: [\t -~\x80-\xff]*$/);
        expect(fields.length).toBeLessThanOrEqual(given.split("\n").length - 1);
      }),
    );
  });

  test("and one that is in order says the same", () => {
    const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).filter((name) => name !== "content-length");
    const value = fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(token, value), { maxLength: 20 }), (fields) => {
        const given = ["HTTP/1.1 200 OK", ...fields.map((field) => field.join(": ")), "", ""].join("\r\n");
        expect(lenientHead(given)).toBe(given);
      }),
    );
  });
});

describe("chunks", () => {
  const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 });
  const framed = (chunks: Uint8Array[], lineEnd: string) =>
    Buffer.concat(
      [...chunks, new Uint8Array()].map((data) =>
        Buffer.concat([Buffer.from(data.length.toString(16) + lineEnd), data, Buffer.from(lineEnd)]),
      ),
    );

  test("become strict ones, however their bytes arrive and their lines end", () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom("\n", "\r\n"), fc.array(fc.nat(2_000)), (chunks, lineEnd, cuts) => {
        const given = framed(chunks, lineEnd);
        const places = [0, ...cuts.filter((at) => at < given.length).toSorted((a, b) => a - b), given.length];
        const read = createChunkReader();
        const strict = places.slice(1).flatMap((to, i) => read(given.subarray(places[i], to)));
        expect(Buffer.concat(strict)).toEqual(framed(chunks, "\r\n"));
      }),
    );
  });

  test("of any bytes are no more than was given, or an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        try {
          const read = createChunkReader()(Buffer.from(bytes));
          expect(Buffer.concat(read).length).toBeLessThanOrEqual(2 * bytes.length);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: a (chunk|line)/);
        }
      }),
    );
  });
});
