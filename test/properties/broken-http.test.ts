import { connect } from "node:net";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answered, type FuzzFixture, holdFor, openFuzzFixture, requestsOf, type Wire } from "./fixture.ts";

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await openFuzzFixture();
});

describe("no bytes on a connection cause a 5xx, nor show the inside, nor lose a row", () => {
  test("even if it is no HTTP at all", { timeout: 180_000 }, async () => {
    const before = await fixture.countRows();
    const head = `POST /v1/tenants/${fixture.ids.tenantId}/campaigns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    const sound = Buffer.from(
      `${head}Authorization: Bearer ${fixture.key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    const spoilt = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
    const bytes = fc.oneof(
      { weight: 4, arbitrary: spoilt.map((changes) => changes.reduce(withByte, Buffer.from(sound))) },
      { weight: 1, arbitrary: fc.nat(sound.length).map((length) => sound.subarray(0, length)) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 500 }).map((random) => Buffer.from(random)) },
    );
    const wire = bytes.map((body) => ({ method: "bytes", path: "", headers: {}, body: new Uint8Array(body) }));
    const send = ({ body }: Wire) => sendBytes(fixture.own.api.url, body as Uint8Array);
    const all = await holdFor({ send }, wire, requestsOf.brokenHttp);
    expect(all.filter(({ answer }) => answer.status >= 400).length).toBeGreaterThan(100);
    expect(await fixture.countRows()).toEqual(before);
  });

  test("and there are at least 20,000 of them", () => {
    expect(Object.values(requestsOf).reduce((sum, requests) => sum + requests, 0)).toBeGreaterThanOrEqual(20_000);
  });
});

function withByte(bytes: Buffer, [at, byte]: [number, number]): Buffer {
  bytes[at] = byte;
  return bytes;
}

/** What is cut off is waited for (and refused after 15 s, which test/http holds): here silence ends the connection. */
const silenceMs = 250;

/** Sends bytes as they are, on a connection of their own. */
function sendBytes(url: string, bytes: Uint8Array): Promise<Answered> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(silenceMs, () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    // A reset is an end like another: what was answered before it counts.
    socket.on("error", () => {}).on("close", () => resolve(readAnswer(answer)));
  });
}

/** The first answer on a connection. */
function readAnswer(answer: string): Answered {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const length = Number(headers["content-length"] ?? 0);
  const text = Buffer.from(rest.join("\r\n\r\n")).subarray(0, length).toString();
  return { status: Number(statusLine.split(" ")[1] ?? 0), headers, text };
}
