import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The bytes of each subscriber in the file of keys: a public key (65 bytes) and an auth secret (16 bytes). */
const bytesEach = 65 + 16;
/**
 * The file of keys. It is kept between benchmarks, because a million key pairs take a minute. Private keys are not
 * stored, because nothing is decrypted.
 */
const keysFile = join(tmpdir(), "pressbell-bench-keys.bin");
const linesAtOnce = 1_000;

/**
 * Writes `count` subscriptions to `file`, one per line in the JSON of a browser, with distinct real keys, spread over
 * `origins`. The path of the endpoint is as long as a real one (about 160 characters).
 */
export async function writeSubscriptions(count: number, origins: string[], file: string): Promise<void> {
  const keys = await readOrGenerateKeys(count);
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

async function readOrGenerateKeys(count: number): Promise<Buffer> {
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
  // The keys are written to another file, which is then renamed. A second benchmark must not read a partial file.
  await writeFile(`${keysFile}.${process.pid}`, pool);
  await rename(`${keysFile}.${process.pid}`, keysFile);
  return pool;
}
