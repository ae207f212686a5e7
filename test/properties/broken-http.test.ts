import { connect } from "node:net";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  checkRequests,
  type FuzzAnswer,
  type FuzzFixture,
  type FuzzRequest,
  openFuzzFixture,
  requestCounts,
} from "./fixture.ts";

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await openFuzzFixture();
});

describe("no bytes on a connection cause a 5xx, expose internals or lose a row", () => {
  test("even if they are not HTTP", { timeout: 180_000 }, async () => {
    const before = await fixture.countRows();
    const head = `POST /v1/tenants/${fixture.ids.tenantId}/campaigns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    const valid = Buffer.from(
      `${head}Authorization: Bearer ${fixture.key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    const changes = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
    const bytes = fc.oneof(
      { weight: 4, arbitrary: changes.map((bytes) => bytes.reduce(withByte, Buffer.from(valid))) },
      { weight: 1, arbitrary: fc.nat(valid.length).map((length) => valid.subarray(0, length)) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 500 }).map((random) => Buffer.from(random)) },
    );
    const wire = bytes.map((body) => ({ method: "bytes", path: "", headers: {}, body: new Uint8Array(body) }));
    const send = ({ body }: FuzzRequest) => sendBytes(fixture.own.api.url, body as Uint8Array);
    const all = await checkRequests({ send }, wire, requestCounts.brokenHttp);
    expect(all.filter(({ answer }) => answer.status >= 400).length).toBeGreaterThan(100);
    expect(await fixture.countRows()).toEqual(before);
  });

  test("and the tests of this folder send at least 20,000 requests", () => {
    expect(Object.values(requestCounts).reduce((sum, requests) => sum + requests, 0)).toBeGreaterThanOrEqual(20_000);
  });
});

function withByte(bytes: Buffer, [at, byte]: [number, number]): Buffer {
  bytes[at] = byte;
  return bytes;
}

/**
 * The client gives up after this time. The service waits 15 s for the rest of an incomplete request (tested in
 * test/http).
 */
const silenceMs = 250;

/** Sends raw bytes on a new connection. */
function sendBytes(url: string, bytes: Uint8Array): Promise<FuzzAnswer> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(silenceMs, () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    // A reset may follow the answer. The answer still counts.
    socket.on("error", () => {}).on("close", () => resolve(readAnswer(answer)));
  });
}

/** Parses the first answer on a connection. */
function readAnswer(answer: string): FuzzAnswer {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const length = Number(headers["content-length"] ?? 0);
  const text = Buffer.from(rest.join("\r\n\r\n")).subarray(0, length).toString();
  return { status: Number(statusLine.split(" ")[1] ?? 0), headers, text };
}
