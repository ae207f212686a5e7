import { createServer, type ServerHttp2Stream } from "node:http2";
import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeHead } from "../../src/egress/http2/hpack-decoder.ts";
import { createRequestEncoder, encodeHeaderFields } from "../../src/egress/http2/hpack-encoder.ts";
import { decodeHuffman } from "../../src/egress/http2/hpack-huffman.ts";
import { HeaderCache } from "../../src/egress/push/header-cache.ts";
import { frame, frameFlags, frameReader, frameTypes, preface, settingsPayload } from "../fixtures/frames.ts";

const decode = (block: Buffer, isWanted = (_name: string) => true) => decodeHead(block, 0, block.length, isWanted);
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("Huffman strings", () => {
  test.each([
    ["f1e3c2e5f23a6ba0ab90f4ff", "www.example.com"],
    ["a8eb10649cbf", "no-cache"],
    ["25a849e95ba97d7f", "custom-key"],
    ["6402", "302"],
    ["d07abe941054d444a8200595040b8166e082a62d1bff", "Mon, 21 Oct 2013 20:13:21 GMT"],
    ["", ""],
  ])("%s is decoded as in RFC 7541 appendix C", (code, text) => {
    const bytes = hex(code);
    expect(decodeHuffman(bytes, 0, bytes.length)).toBe(text);
  });

  test.each([
    ["eight bits of padding", "6402ff"],
    ["padding that is not all ones", "1c"],
    ["an end-of-string symbol inside", "ffffffff"],
  ])("with %s are refused", (_what, code) => {
    const bytes = hex(code);
    expect(decodeHuffman(bytes, 0, bytes.length)).toBeUndefined();
  });
});

describe("a header block of an answer", () => {
  test("from Node's server is decoded, with every character that a header may have", async () => {
    const visible = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).join("");
    const latin = Array.from({ length: 96 }, (_, i) => String.fromCharCode(0xa0 + i)).join("");
    const block = await blockOfNode({ ":status": 429, location: visible, "retry-after": "120", "x-wns-msg": latin });
    const head = decode(block, (name) => name !== "date");
    expect(head).toEqual({ status: 429, headers: { location: visible, "retry-after": "120", "x-wns-msg": latin } });
  });

  test.each([
    ["an indexed status", "8d", 404],
    ["a literal status", "08 03 343133", 413],
    ["a status with indexing, which a table of size 0 does not store", "48 03 343133", 413],
    ["a status never to be indexed, in Huffman", "18 82 6402", 302],
    ["a table size update to 0 at the start", "20 88", 200],
    ["no status, as trailers", "00 01 61 01 62", 0],
  ])("with %s is decoded", (_what, code, status) => {
    expect(decode(hex(code))?.status).toBe(status);
  });

  test.each([
    ["an entry of the dynamic table", "88 be"],
    ["a name of the dynamic table", "88 7e 01 61"],
    ["index 0", "80"],
    ["a table size above 0", "21 88"],
    ["a table size update at the end", "88 20"],
    ["two statuses", "88 88"],
    ["a status of four digits", "08 04 32303120"],
    ["a status that is no number", "08 03 2b3230"],
    ["a string that ends outside of the block", "88 00 7f"],
    ["an endless number", "ff ffffffffffffff"],
    ["a number cut off", "88 3f"],
  ])("with %s is refused", (_what, code) => {
    expect(decode(hex(code))).toBeUndefined();
  });

  test("of random bytes is decoded or refused, and never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const head = decode(Buffer.from(bytes));
        expect(head === undefined || head.status === 0 || (head.status >= 100 && head.status < 600)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("a header block of a request", () => {
  const headers = { ttl: "60", authorization: "vapid t=SECRET", "content-encoding": "aes128gcm" };
  const encodedFields = new HeaderCache<Buffer>();
  /** Encodes a request with the cache in front of the encoder, as RequestWriter does. */
  const write = (encoder: ReturnType<typeof createRequestEncoder>, path: string, given = headers) => {
    const head = { path, fields: encodedFields.get(given, encodeHeaderFields), contentLength: 403 };
    const out = Buffer.alloc(encoder.maxBytes(head));
    return out.subarray(0, encoder.write(out, 0, head));
  };

  test("starts with a table size of 0, and marks path and authorization never to be indexed", () => {
    const encoder = createRequestEncoder("push");
    const first = write(encoder, "/secret");
    const second = write(encoder, "/secret");
    expect(first).toEqual(Buffer.concat([Buffer.from([0x20]), second]));
    expect(second.toString("latin1")).toContain("\x14\x07/secret");
    expect(second.toString("latin1")).toContain("\x1f\x08\x0evapid t=SECRET");
    expect(second.toString("latin1").endsWith("\x0f\x0d\x03403")).toBe(true);
  });

  test("never has the fields of other headers, however many sets of headers alternate", () => {
    const encoder = createRequestEncoder("push");
    const sets = Array.from({ length: 20 }, (_, n) => ({ ...headers, authorization: `vapid t=${n}.` }));
    for (const set of [...sets, ...sets, ...sets.toReversed()]) {
      expect(write(encoder, "/x", set).toString("latin1")).toContain(set.authorization);
    }
    const more = { ...headers, topic: "a" };
    const fewer = { ttl: "60", authorization: "vapid t=SECRET" };
    expect(write(encoder, "/x").includes("topic")).toBe(false);
    expect(write(encoder, "/x", more).includes("topic")).toBe(true);
    expect(write(encoder, "/x", fewer as typeof headers).includes("aes128gcm")).toBe(false);
  });
});

/** Returns the header block that node:http2 sends to a client without a header table. */
async function blockOfNode(headers: Record<string, string | number>): Promise<Buffer> {
  const server = createServer();
  server.on("stream", (stream: ServerHttp2Stream) => stream.respond(headers, { endStream: true }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  const block = new Promise<Buffer>((resolve) => {
    const read = frameReader(({ type, payload }) => type === frameTypes.headers && resolve(payload));
    socket.on("data", read);
  });
  const encoder = createRequestEncoder("localhost");
  const head = { path: "/", fields: encodeHeaderFields({}), contentLength: 0 };
  const out = Buffer.alloc(encoder.maxBytes(head));
  socket.write(
    Buffer.concat([
      preface,
      frame(frameTypes.settings, 0, 0, settingsPayload({ headerTableSize: 0 })),
      frame(
        frameTypes.headers,
        frameFlags.endHeaders | frameFlags.endStream,
        1,
        out.subarray(0, encoder.write(out, 0, head)),
      ),
    ]),
  );
  try {
    return await block;
  } finally {
    socket.destroy();
    server.close();
  }
}
