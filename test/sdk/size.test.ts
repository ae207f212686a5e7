import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildSdkScripts } from "../../src/http/sdk-scripts.ts";

const maxBytes = 5_120;

test("each script has at most 5,120 bytes, compressed as the service sends it", async () => {
  const scripts = await buildSdkScripts();
  for (const [name, text] of Object.entries(scripts)) {
    const { length } = gzipSync(text);
    process.stdout.write(`sdk/${name}: ${length} bytes of ${maxBytes}\n`);
    expect(length).toBeGreaterThan(1_000);
    expect(length).toBeLessThanOrEqual(maxBytes);
  }
});
