import { spawnSync } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { explainError } from "../../src/cli/explain-error.ts";
import {
  chooseEncryption,
  describeEncryption,
  encryptionWarning,
  openEncryptor,
} from "../../src/delivery/crypto/encryption.ts";
import { ConfigError } from "../../src/errors.ts";
import { createLogger } from "../../src/log.ts";
import { waysToEncrypt } from "./ways-to-encrypt.ts";

const folder = await mkdtemp(join(tmpdir(), "pressbell-encryption-"));
afterAll(() => rm(folder, { recursive: true }));

const headers = join(dirname(process.execPath), "..", "include", "node");
const ways = await waysToEncrypt();
/** The limit is long, because a compiler is slow on a busy machine. */
const compilesWithinMs = 90_000;
/**
 * Whether this machine has a compiler. If it has, the helper must be built. Otherwise a source that does not compile
 * would pass unnoticed.
 */
const hasCompiler =
  process.platform === "linux" &&
  existsSync(join(headers, "node_api.h")) &&
  spawnSync("c++", ["--version"]).status === 0;
/**
 * Whether the system itself reports AVX-512. If the tests asked the helper, they would be skipped unnoticed when it
 * misjudges the processor.
 */
const hasAvx512 =
  process.arch === "x64" &&
  process.platform === "linux" &&
  ["avx512f", "avx512dq", "avx512ifma"].every((flag) => readFileSync("/proc/cpuinfo", "utf8").includes(` ${flag}`));

describe("without a native helper Node.js encrypts, and the reason is one line", () => {
  test("where ENCRYPTION says node", async () => {
    const encryption = await chooseEncryption("node");
    expect(describeEncryption(encryption)).toBe("node:crypto (as ENCRYPTION says)");
  });

  test.each(["avx512", "openssl"] as const)("but a start that asks for %s is refused", async (setting) => {
    const build = { folder: join(folder, "none"), compiler: "no-such-compiler" };
    await expect(chooseEncryption(setting, build)).rejects.toThrow(
      `Wrong setting: ENCRYPTION is ${setting}, but no C++ compiler (no-such-compiler) was found. Set it to auto`,
    );
  });

  test("where there is no compiler", async () => {
    const encryption = await chooseEncryption("auto", { folder: join(folder, "none"), compiler: "no-such-compiler" });
    expect(encryption).toEqual({ by: "node", why: "no C++ compiler (no-such-compiler) was found" });
  });

  test("where the compiler fails", async () => {
    const encryption = await chooseEncryption("auto", { folder: join(folder, "failed"), compiler: "false" });
    expect(encryption).toMatchObject({ by: "node", why: expect.stringMatching(/^it could not be compiled: .+$/) });
    expect(await readdir(join(folder, "failed"))).toEqual([]);
  });

  test("where the process is to end before the compiler has", async () => {
    const build = { folder: join(folder, "ended"), signal: AbortSignal.abort() };
    expect(await chooseEncryption("auto", build)).toMatchObject({
      by: "node",
      why: expect.stringContaining("aborted"),
    });
    expect(await readdir(build.folder)).toEqual([]);
  });

  test("where Node.js came without its headers", async () => {
    const encryption = await chooseEncryption("auto", { folder: join(folder, "none"), headers: folder });
    expect(encryption).toEqual({ by: "node", why: "this Node.js came without node_api.h" });
  });

  test("where its folder cannot be written", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    const encryption = await chooseEncryption("auto", { folder: join(file, "below") });
    expect(encryption).toMatchObject({ by: "node", why: expect.stringMatching(/^its folder cannot be written: .+$/) });
  });
});

// On a machine without a compiler, only the tests above apply.
describe.runIf(hasCompiler)("the native helper is a file that", () => {
  test("is built once, also when two processes start at once", { timeout: compilesWithinMs }, async () => {
    const build = { folder: join(folder, "twice"), compiler: await oldCompiler() };
    const [one, other] = await Promise.all([chooseEncryption("openssl", build), chooseEncryption("openssl", build)]);
    expect(one).toEqual(other);
    expect(describeEncryption(one)).toBe("a native helper");
    const files = await readdir(build.folder);
    expect(files).toEqual([
      expect.stringContaining(`node-${process.versions.node}-openssl-${process.versions.openssl}-`),
    ]);
    // The file is found again, without a compiler.
    expect(await chooseEncryption("openssl", { ...build, compiler: "no-such-compiler" })).toEqual(one);
  });

  test.runIf(hasAvx512)("agrees eight at once where the processor can", async () => {
    expect(await chooseEncryption("auto")).toMatchObject({ by: "native", agreement: "avx512" });
  });

  test("is built without AVX-512 by a compiler that does not know it", { timeout: compilesWithinMs }, async () => {
    const build = { folder: join(folder, "twice"), compiler: await oldCompiler() };
    const encryption = await chooseEncryption("auto", build);
    const why =
      process.arch === "x64" ? "the compiler does not know AVX-512 IFMA" : "only x86-64 processors have AVX-512 IFMA";
    expect(encryption).toMatchObject({ by: "native", agreement: "openssl", withoutAvx512: { why, isFault: false } });
    expect(describeEncryption(encryption)).toBe(`a native helper (${why})`);
    expect(encryptionWarning(encryption)).toBeUndefined();
    const refused = await chooseEncryption("avx512", build).catch((error) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect(explainError(refused, "").text).toBe(
      `Wrong setting: ENCRYPTION is avx512, but ${why}. Set it to auto for the fastest way that this machine has.\n`,
    );
  });

  test("is not built with the headers of another Node.js", { timeout: compilesWithinMs }, async () => {
    const others = join(folder, "other-headers");
    await mkdir(others);
    const names = (await readdir(headers)).filter((name) => name !== "node_version.h");
    for (const name of names) await symlink(join(headers, name), join(others, name));
    const version = await readFile(join(headers, "node_version.h"), "utf8");
    await writeFile(join(others, "node_version.h"), version.replace(/(PATCH_VERSION) \d+/, "$1 99"));
    expect(await chooseEncryption("auto", { folder: join(folder, "other"), headers: others })).toMatchObject({
      by: "node",
      why: expect.stringContaining("these are the headers of another Node.js"),
    });
  });

  test("that does not load is a reason for Node.js, and a warning for a thread", async () => {
    const [name] = await readdir(join(folder, "twice"));
    const build = { folder: join(folder, "broken") };
    await mkdir(build.folder);
    const file = join(build.folder, name!);
    await writeFile(file, "no library");
    expect(await chooseEncryption("auto", build)).toMatchObject({
      by: "node",
      why: expect.stringMatching(/^the native helper fails: .+$/),
    });
    const encryptor = openEncryptor({ by: "native", file, agreement: "openssl" }, createLogger("silent"));
    expect([...encryptor.encryptBatch(randomBatch(3, 10)).invalid]).toEqual([0, 0, 0]);
  });
});

/** Returns a compiler that refuses AVX-512, like a compiler or an assembler from before its time. */
async function oldCompiler(): Promise<string> {
  const file = join(folder, "old-c++");
  const text = '#!/bin/sh\ncase "$*" in *-DWITHOUT_AVX512*) exec c++ "$@";; *) exit 1;; esac\n';
  await writeFile(file, text, { mode: 0o755 });
  return file;
}

describe.runIf(hasCompiler)("the native helper, once loaded,", () => {
  test("refuses buffers that do not fit each other, whoever calls it", async () => {
    const chosen = await chooseEncryption("auto");
    const native = createRequire(import.meta.url)((chosen as { file: string }).file);
    const fitting: unknown[] = [65, 16, 5, 108, 1].map((bytes) => new Uint8Array(bytes));
    native.encryptBatch(...fitting);
    const wrongOnes = [new Uint8Array(200), new Uint8Array(0), new Float64Array(8), undefined, 5];
    for (let i = 0; i < 5; i++) {
      for (const wrong of wrongOnes) {
        expect(() => native.encryptBatch(...fitting.with(i, wrong))).toThrow("The buffers do not fit each other.");
      }
    }
    expect(() => native.encryptBatch(...fitting.slice(1))).toThrow("Five buffers are needed.");
    expect(() => native.encryptBatch(...fitting, new Uint8Array(31), new Uint8Array(16))).toThrow("do not fit");
  });

  test("comes to the same bytes as Node.js, whatever the keys and the lengths", () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    const [node, ...others] = ways.map(([, open]) => open);
    const example = fc.record({
      count: fc.integer({ min: 0, max: 70 }),
      plaintextBytes: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 3_993 })),
      spoil: fc.array(fc.record({ at: fc.nat(), xor: fc.integer({ min: 1, max: 255 }) }), { maxLength: 6 }),
      // A private key must be below the order of the curve, which begins with four bytes of ones.
      privateKey: bytes(32).filter((key) => key[0] !== 0xff && key.some((byte) => byte !== 0)),
      salt: bytes(16),
    });
    fc.assert(
      fc.property(example, ({ count, plaintextBytes, spoil, privateKey, salt }) => {
        const batch = randomBatch(count, plaintextBytes);
        for (const { at, xor } of spoil) if (count > 0) batch.publicKeys[at % batch.publicKeys.length]! ^= xor;
        const fixed = { privateKey: Buffer.from(privateKey), salt: Buffer.from(salt) };
        const expected = node!(fixed).encryptBatch(batch);
        for (const open of others) expect(open(fixed).encryptBatch(batch)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test("serves several threads at once, and those that come after one has ended", async () => {
    const chosen = await chooseEncryption("auto");
    const work = () =>
      new Promise<number>((resolve, reject) => {
        const worker = new Worker(new URL("./encrypting-thread.ts", import.meta.url), { workerData: chosen });
        worker.once("message", resolve);
        worker.once("error", reject);
      });
    const inOneGo = () => Promise.all([work(), work(), work()]);
    expect([await inOneGo(), await inOneGo()].flat()).toEqual(Array(6).fill(320));
  });
});

function randomBatch(count: number, plaintextBytes: number) {
  const keys = Array.from({ length: count }, () => createECDH("prime256v1").generateKeys());
  return {
    count,
    publicKeys: Buffer.concat(keys),
    authSecrets: randomBytes(count * 16),
    plaintexts: randomBytes(count * plaintextBytes),
    plaintextBytes,
  };
}
