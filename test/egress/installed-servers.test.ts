import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPushTransport, type PushTransport } from "../../src/egress/push/transport.ts";
import { type Certificate, createCertificate } from "../fixtures/certificate.ts";
import { startHttp2Peer } from "../fixtures/http2-peer.ts";
import { hasNghttpd, hasNginx, startNghttpd, startNginx } from "../fixtures/installed-servers.ts";
import { startTurnClock } from "../fixtures/turn-clock.ts";
import { accept, message, range } from "./contract/fixture.ts";

/** Third-party servers: always Node's own, and nginx and nghttpd if they are installed. */
type Server = { origin: string; close(): Promise<void> };
const servers: [string, (certificate: Certificate) => Promise<Server>][] = [
  ["Node's own server", (certificate) => startHttp2Peer(certificate, { onRequest: accept })],
];
if (hasNginx) servers.push(["nginx", (certificate) => startNginx(certificate, 1_000_000)]);
if (hasNghttpd) servers.push(["nghttpd", startNghttpd]);

const closers: (() => Promise<unknown>)[] = [];
let certificate: Certificate;
let clock: ReturnType<typeof startTurnClock>;

beforeAll(async () => {
  certificate = await createCertificate("found server");
});

beforeEach(() => {
  clock = startTurnClock();
});

afterEach(async () => {
  clock.stop();
  for (const close of closers.splice(0).reverse()) await close();
});

describe.each([
  ["node:http2", false],
  ["the lean HTTP/2", true],
])("over %s", (_name, leanHttp2) => {
  test.each(servers)("%s answers a thousand requests, each with its own headers", async (_server, start) => {
    const server = await start(certificate);
    closers.push(server.close);
    const sender = transport(leanHttp2);
    const answers = await Promise.all(
      range(1_000).map((n) => {
        const headers = { ttl: String(n), authorization: `vapid t=${"a".repeat(n % 300)}`, topic: `t${n % 7}` };
        return sender.post({ ...message(server.origin, n), path: "/push", headers });
      }),
    );
    const statuses = new Set(answers.map((answer) => (answer.kind === "answered" ? answer.status : answer.reason)));
    expect([...statuses]).toEqual([expect.toBeOneOf([200, 201])]);
  });

  if (hasNginx) {
    test("nginx with GOAWAY after 40 requests gets each one once, if unsent ones are repeated", async () => {
      const server = await startNginx(certificate, 40);
      closers.push(server.close);
      const sender = transport(leanHttp2);
      let left = range(400);
      for (let round = 0; left.length > 0 && round < 20; round += 1) {
        const answers = await Promise.all(left.map((n) => sender.post(message(server.origin, n))));
        expect(answers.filter(({ kind }) => kind === "uncertain")).toEqual([]);
        left = left.filter((_, i) => answers[i]!.kind === "notSent");
      }
      await sender.close();
      expect((await server.paths()).sort()).toEqual(
        range(400)
          .map((n) => `/push/${n}`)
          .sort(),
      );
    });
  }
});

function transport(leanHttp2: boolean): PushTransport {
  const sender = createPushTransport({
    allowsOrigin: () => true,
    ca: certificate.cert,
    leanHttp2,
    queueTimeoutMs: 10_000,
  });
  closers.push(sender.close);
  return sender;
}
