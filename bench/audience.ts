import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A public key (65 bytes) and a secret (16) for each subscriber, one after the other. */
const bytesEach = 65 + 16;
/** Kept between runs: making a million pairs takes a minute. Private halves are not kept, nobody decrypts. */
const keysFile = join(tmpdir(), "pressbell-bench-keys.bin");
const linesAtOnce = 1_000;

/**
 * Writes `count` subscriptions to `file`, a line each as a browser hands it over, with distinct real keys, in turn at
 * `origins`. The path has the length of real ones (some 160 characters).
 */
export async function writeAudience(count: number, origins: string[], file: string): Promise<void> {
  const keys = await keyPool(count);
  const out = createWriteStream(file);
  for (let from = 0; from < count; from += linesAtOnce) {
    let lines = "";
    for (let i = from; i < Math.min(count, from + linesAtOnce); i++) {
      const own = keys.subarray(i * bytesEach, (i + 1) * bytesEach);
      const subscription = {
        endpoint: `${origins[i % origins.length]}/wpush/v2/${own.toString("base64url")}${own.toString("base64url", 0, 32)}`,
        keys: { p256dh: own.toString("base64url", 0, 65), auth: own.toString("base64url", 65) },
      };
      lines += `${JSON.stringify(subscription)}\n`;
    }
    if (!out.write(lines)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

async function keyPool(count: number): Promise<Buffer> {
  const kept = existsSync(keysFile) ? await readFile(keysFile) : Buffer.alloc(0);
  const have = Math.floor(kept.length / bytesEach);
  if (have >= count) return kept.subarray(0, count * bytesEach);
  const pool = Buffer.alloc(count * bytesEach);
  kept.copy(pool, 0, 0, have * bytesEach);
  const pair = createECDH("prime256v1");
  for (let i = have; i < count; i++) {
    pool.set(pair.generateKeys(), i * bytesEach);
    pool.set(randomBytes(16), i * bytesEach + 65);
  }
  // Made beside its place: two benchmarks at once must not read half a pool.
  await writeFile(`${keysFile}.${process.pid}`, pool);
  await rename(`${keysFile}.${process.pid}`, keysFile);
  return pool;
}
