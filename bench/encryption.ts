import { createCipheriv, createECDH, createHmac, randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { createEncryptor } from "../src/delivery/crypto/encrypt.ts";
import { chooseEncryption, describeEncryption, openEncryptor } from "../src/delivery/crypto/encryption.ts";
import { createLogger } from "../src/log.ts";

/**
 * Measures the cost of encryption: CPU time per message (user and system, µs) in Node.js, in the native helper with
 * OpenSSL and with AVX-512, and in each step of Node.js. The cases alternate in each round, so that changes of the
 * machine's speed affect all alike. Prints medians over the rounds. `--rounds`: by default 15. `--batch`: messages per
 * call, by default 32 as in delivery. Subscribers are distinct, and texts have 300 bytes.
 */
const messagesPerRound = 1_280;
const plaintextBytes = 300;

const { values } = parseArgs({ options: { rounds: { type: "string" }, batch: { type: "string" } } });
const rounds = Number(values.rounds ?? 15);
const batchSize = Number(values.batch ?? 32);

/** A measured call. `messages`: the number that one call encrypts. */
type BenchmarkCase = { name: string; messages: number; call: () => unknown };

const cases = [...(await wholeMessages()), ...singleSteps()];
const costs = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
// The first round is a warm-up.
for (let round = 0; round <= rounds; round++) {
  for (const benchmarkCase of cases) {
    const us = cpuOf(benchmarkCase);
    if (round > 0) costs.get(benchmarkCase.name)!.push(us);
  }
}
for (const [name, us] of costs) process.stdout.write(`| ${name} | ${median(us).toFixed(1)} |\n`);

async function wholeMessages(): Promise<BenchmarkCase[]> {
  const publicKeys = Buffer.concat(Array.from({ length: batchSize }, newPublicKey));
  const authSecrets = randomBytes(batchSize * 16);
  const plaintexts = randomBytes(batchSize * plaintextBytes);
  const batch = { count: batchSize, publicKeys, authSecrets, plaintexts, plaintextBytes };
  const byNode = createEncryptor();
  const found: BenchmarkCase[] = [
    { name: "a message by Node.js", messages: batchSize, call: () => byNode.encryptBatch(batch) },
  ];
  for (const way of ["openssl", "avx512"] as const) {
    try {
      const encryption = await chooseEncryption(way);
      const native = openEncryptor(encryption, createLogger("warn"));
      const name = `a message by ${describeEncryption(encryption)}`;
      found.push({ name, messages: batchSize, call: () => native.encryptBatch(batch) });
    } catch (error) {
      process.stdout.write(`${(error as Error).message}\n`);
    }
  }
  return found;
}

function singleSteps(): BenchmarkCase[] {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const own = createECDH("prime256v1");
  const theirs = newPublicKey();
  const key = randomBytes(32);
  const info = randomBytes(145);
  const text = randomBytes(plaintextBytes + 1);
  return [
    { name: "Node.js: generateKeys", messages: 1, call: () => own.generateKeys() },
    { name: "Node.js: computeSecret", messages: 1, call: () => ecdh.computeSecret(theirs) },
    {
      name: "Node.js: five HMACs",
      messages: 1,
      call: () => {
        for (const part of [key, info, key, key, key]) createHmac("sha256", key).update(part).digest();
      },
    },
    {
      name: "Node.js: AES-GCM",
      messages: 1,
      call: () => {
        const cipher = createCipheriv("aes-128-gcm", key.subarray(0, 16), key.subarray(0, 12));
        cipher.update(text);
        cipher.final();
        return cipher.getAuthTag();
      },
    },
  ];
}

function newPublicKey(): Buffer {
  return createECDH("prime256v1").generateKeys();
}

function cpuOf({ messages, call }: BenchmarkCase): number {
  const calls = Math.ceil(messagesPerRound / messages);
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (calls * messages);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
