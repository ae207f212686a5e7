import { expect, test } from "vitest";
import { createCompressor } from "../../src/http/compress.ts";
import { sdkRoutes } from "../../src/http/sdk-routes.ts";
import { builtSdkFiles, type SdkScripts } from "../../src/http/sdk-scripts.ts";
import type { Visit } from "../../src/route.ts";

const visit = { header: () => "br, gzip" } as unknown as Visit;

test("a text is compressed once for all who ask, as long as it is among the last", () => {
  const compress = createCompressor(2, "each");
  const [first, second] = ["config of one site", "config of another"].map((text) => compress(visit, text).body);
  expect(compress(visit, "config of another").body).toBe(second);
  expect(compress(visit, "config of one site").body).toBe(first);
  compress(visit, "config of a third");
  expect(compress(visit, "config of one site").body).toBe(first);
  expect(compress(visit, "config of another").body).not.toBe(second);
});

test("every script of the service is compressed once, however many there are", async () => {
  const scripts = Object.fromEntries(Object.keys(builtSdkFiles).map((name) => [name, `// ${name}`])) as SdkScripts;
  const routes = sdkRoutes(() => scripts).filter(({ path }) => !path.includes(":"));
  const read = () => Promise.all(routes.map(async ({ answer }) => (await answer(undefined as never, visit)).body));
  const first = await read();
  expect(first.length).toBeGreaterThan(7);
  for (const [i, body] of (await read()).entries()) expect(body).toBe(first[i]);
});
