import { createECDH, randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { openNativeEncryptor } from "../../src/delivery/crypto/native-encryptor.ts";

/** Encrypts ten batches with the helper in `workerData.file`, and posts how many different bodies that made. */
const { file, agreement } = workerData as { file: string; agreement: "avx512" | "openssl" };
const encryptor = openNativeEncryptor(file, { agreement });
const count = 32;
const publicKeys = Buffer.concat(Array.from({ length: count }, () => createECDH("prime256v1").generateKeys()));
const seen = new Set<string>();
for (let round = 0; round < 10; round++) {
  const batch = {
    count,
    publicKeys,
    authSecrets: randomBytes(count * 16),
    plaintexts: Buffer.alloc(0),
    plaintextBytes: 0,
  };
  const { bodies, bodyBytes } = encryptor.encryptBatch(batch);
  for (let i = 0; i < count; i++) seen.add(bodies.toString("hex", i * bodyBytes, (i + 1) * bodyBytes));
}
parentPort!.postMessage(seen.size);
