import { createEncryptor, type Encryptor, type FixedKeys } from "../../src/delivery/crypto/encrypt.ts";
import { chooseEncryption } from "../../src/delivery/crypto/encryption.ts";
import { openNativeEncryptor } from "../../src/delivery/crypto/native-encryptor.ts";

export type Way = [name: string, open: (example?: FixedKeys) => Encryptor];

/** Returns all ways to encrypt that this machine has, by name. Without a C++ compiler, only that of Node.js. */
export async function waysToEncrypt(): Promise<Way[]> {
  const chosen = await chooseEncryption("auto");
  const ways: Way[] = [["Node.js", createEncryptor]];
  if (chosen.by === "node") return ways;
  const { file, agreement } = chosen;
  ways.push(["the native helper", (example) => openNativeEncryptor(file, { example })]);
  if (agreement === "avx512") ways.push(["AVX-512", (example) => openNativeEncryptor(file, { agreement, example })]);
  return ways;
}
