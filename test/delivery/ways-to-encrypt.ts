import { createEncryptor, type Encryptor, type FixedKeys } from "../../src/delivery/crypto/encrypt.ts";
import { chooseEncryption } from "../../src/delivery/crypto/encryption.ts";
import { openNativeEncryptor } from "../../src/delivery/crypto/native-encryptor.ts";

export type Way = [name: string, open: (fixed?: FixedKeys) => Encryptor];

/** Both ways to encrypt, by name; only that of Node.js where there is no C++ compiler. */
export async function waysToEncrypt(): Promise<Way[]> {
  const chosen = await chooseEncryption("auto");
  const ways: Way[] = [["Node.js", createEncryptor]];
  if (chosen.by === "native") ways.push(["the native helper", (fixed) => openNativeEncryptor(chosen.file, fixed)]);
  return ways;
}
