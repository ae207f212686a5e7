import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { startService } from "../fixtures/service-process.ts";
import { readRaw } from "../http/raw.ts";

const head = "POST /v1/content/preview HTTP/1.1\r\nHost: localhost\r\n";

let url: string;
let authorization: string;

beforeAll(async () => {
  const app = await openTestApp();
  authorization = `Authorization: Bearer ${(await createPublisher(app)).apiKey}\r\n`;
  ({ url } = await startService("api", settingsOf(app)));
});

test.concurrent.each([
  { what: "a header", limitMs: 10_000, start: () => `${head}X-Slow: ` },
  {
    what: "a body",
    limitMs: 15_000,
    start: () => `${head}${authorization}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"url":"`,
  },
])("a caller that sends $what byte by byte gets 408 after $limitMs ms", async ({ limitMs, start }) => {
  const startMs = performance.now();
  const { status, head, body } = readRaw(await drip(start()));
  const tookMs = performance.now() - startMs;
  expect({ status, code: body.code }).toEqual({ status: 408, code: "request_timeout" });
  expect(head).toMatch(/^Connection: close$/im);
  expect(tookMs).toBeGreaterThanOrEqual(limitMs);
  expect(tookMs).toBeLessThan(scaleByLoad(limitMs + 3_000));
});

/** Sends `text`, then a byte every 100 ms until the server answers. Returns everything that the server sent. */
function drip(text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const dripping = setInterval(() => socket.write("x"), 100);
    socket.setEncoding("latin1").on("data", (chunk) => {
      answer += chunk;
      clearInterval(dripping);
    });
    // A byte that crosses the answer causes a reset. The answer that came before it counts.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(dripping);
      resolve(answer);
    });
  });
}
