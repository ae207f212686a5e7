import { createECDH, randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import {
  agreementStateOf,
  chooseEncryption,
  encryptionWarning,
  openEncryptor,
} from "../../src/delivery/crypto/encryption.ts";
import { ConfigError } from "../../src/errors.ts";
import type { Logger } from "../../src/log.ts";

/**
 * Tests a helper whose arithmetic fails in the way that the variable SPOIL names. The service must find and repair each
 * fault.
 */
const ece = createRequire(import.meta.url)("http_ece");
const chosen = await chooseEncryption("auto");
const hasAvx512 = chosen.by === "native" && chosen.agreement === "avx512";
const folder = await mkdtemp(join(tmpdir(), "pressbell-eight-faults-"));
const build = { sources: join(folder, "native"), folder };
if (hasAvx512) await writeMutant();
afterAll(() => rm(folder, { recursive: true }));

async function writeMutant(): Promise<void> {
  await cp(fileURLToPath(new URL("../../native", import.meta.url)), build.sources, { recursive: true });
  const file = join(build.sources, "agreement8.cc");
  let source = await readFile(file, "utf8");
  const spoil = (before: string, after: string) => {
    expect(source.split(before)).toHaveLength(2);
    source = source.replace(before, after);
  };
  spoil(
    "struct Work {",
    `static bool isSpoilt(const char* how) { const char* is = getenv("SPOIL"); return is && strcmp(is, how) == 0; }
    struct Work {`,
  );
  // In one of eight lanes, the point leaves the curve.
  spoil(
    "secrets.inverseOfShared = secrets.shared.z;",
    `secrets.inverseOfShared = secrets.shared.z;
    if (isSpoilt("lane")) secrets.inverseOfShared.limb[0] = plus(secrets.shared.z.limb[0], _mm512_set_epi64(0, 0, 0, 0, 1, 0, 0, 0));`,
  );
  // The result is another multiple of the subscriber's point. It is also on the curve.
  spoil(
    "multiplyPoints(work.secrets[j].shared, work.secrets[j].digits, work.tables[j]);",
    `Digits digits = work.secrets[j].digits;
    if (isSpoilt("scalar")) digits.word[1] = _mm512_xor_si512(digits.word[1], same(16));
    multiplyPoints(work.secrets[j].shared, digits, work.tables[j]);`,
  );
  await writeFile(file, source.replace("#include <cstring>", "#include <cstdlib>\n#include <cstring>"));
}

/** Makes the arithmetic fail while `use` runs. */
async function spoilt<Result>(how: "lane" | "scalar", use: () => Result): Promise<Awaited<Result>> {
  process.env.SPOIL = how;
  try {
    return await use();
  } finally {
    delete process.env.SPOIL;
  }
}

const subscribers = Array.from({ length: 32 }, () => {
  const keys = createECDH("prime256v1");
  return { publicKey: keys.generateKeys(), privateKey: keys, authSecret: randomBytes(16) };
});
const batch = {
  count: 32,
  publicKeys: Buffer.concat(subscribers.map(({ publicKey }) => publicKey)),
  authSecrets: Buffer.concat(subscribers.map(({ authSecret }) => authSecret)),
  plaintexts: Buffer.alloc(32 * 10, "0123456789"),
  plaintextBytes: 10,
};

/** Returns how many of the messages their subscribers can read. */
function readable({ bodies, bodyBytes }: { bodies: Buffer; bodyBytes: number }): number {
  return subscribers.filter(({ privateKey, authSecret }, i) => {
    const body = bodies.subarray(i * bodyBytes, (i + 1) * bodyBytes);
    try {
      return ece.decrypt(body, { version: "aes128gcm", privateKey, authSecret: authSecret.toString("base64url") })
        .length;
    } catch {
      return false;
    }
  }).length;
}

describe.runIf(hasAvx512)("where AVX-512 computes wrongly", () => {
  const warnings: unknown[] = [];
  const log = { warn: (_state: object, text: string) => warnings.push(text) } as unknown as Logger;

  test("a wrong known answer at the start leaves encryption to OpenSSL, or refuses the start", {
    timeout: 90_000,
  }, async () => {
    const encryption = await spoilt("scalar", () => chooseEncryption("auto", build));
    const why = "AVX-512 does not reproduce known answers.";
    expect(encryption).toMatchObject({ agreement: "openssl", withoutAvx512: { why, isFault: true } });
    expect(encryptionWarning(encryption)).toContain(why);
    expect(readable(openEncryptor(encryption, log).encryptBatch(batch))).toBe(32);
    const refused = await spoilt("scalar", () => chooseEncryption("avx512", build).catch((error) => error));
    expect(refused).toBeInstanceOf(ConfigError);
    expect(refused.message).toContain(`ENCRYPTION is avx512, but ${why}`);
  });

  test("a lane that leaves the curve is computed again by OpenSSL, with a warning", async () => {
    const encryption = await chooseEncryption("avx512", build);
    const encryptor = openEncryptor(encryption, log);
    const sealed = await spoilt("lane", () => encryptor.encryptBatch(batch));
    expect(readable(sealed)).toBe(32);
    // Lane 3 has failed in each group of eight.
    expect(agreementStateOf(encryption)).toEqual({ failedLanes: 4, differences: 0, isOff: false });
    expect(warnings.splice(0)).toEqual([expect.stringContaining("computed these messages again")]);
    expect(readable(encryptor.encryptBatch(batch))).toBe(32);
    expect(warnings).toEqual([]);
  });

  test("an encryptor with OpenSSL in the same thread has no part in it", async () => {
    const encryptor = openEncryptor(await chooseEncryption("openssl", build), log);
    expect(readable(await spoilt("scalar", () => encryptor.encryptBatch(batch)))).toBe(32);
  });

  test("the first difference in a sample of 1 in 1,000 switches it off, with a warning", async () => {
    const encryption = await chooseEncryption("avx512", build);
    const [one, other] = [openEncryptor(encryption, log), openEncryptor(encryption, log)];
    const readableOf = (encryptor: typeof one) => spoilt("scalar", () => readable(encryptor.encryptBatch(batch)));
    let unread = 0;
    while (warnings.length === 0 && unread < 32) {
      const read = await readableOf(one);
      // The group in which the difference was found is computed again too, so all messages can be read.
      expect(read).toBe(warnings.length === 0 ? 0 : 32);
      unread += 1;
    }
    expect(warnings).toEqual([expect.stringContaining("OpenSSL encrypts in this process from now on")]);
    expect(agreementStateOf(encryption)).toMatchObject({ differences: 1, isOff: true });
    expect([await readableOf(one), await readableOf(other)]).toEqual([32, 32]);
  });
});
