import type { Config } from "../../config.ts";
import type { Logger } from "../../log.ts";
import { createEncryptor, type Encryptor } from "./encrypt.ts";
import { buildNative, type NativeBuild, NoNativeHelper } from "./native-build.ts";
import { openNativeEncryptor } from "./native-encryptor.ts";

/** What encrypts in this process: the native helper in `file`, or Node.js and the reason for it. */
export type Encryption = { by: "native"; file: string } | { by: "node"; why: string };

/**
 * Chooses what encrypts, and builds the native helper the first time (one or two seconds). The helper is optional: any
 * fault is a reason to use Node.js. It is loaded once here, so that a fault shows at the start and not in a thread.
 */
export async function chooseEncryption(setting: Config["ENCRYPTION"], build?: NativeBuild): Promise<Encryption> {
  if (setting === "node") return { by: "node", why: "as ENCRYPTION says" };
  try {
    const file = await buildNative(build);
    openNativeEncryptor(file);
    return { by: "native", file };
  } catch (error) {
    const reason = (error as Error).message.split("\n", 1)[0]!;
    return { by: "node", why: error instanceof NoNativeHelper ? reason : `the native helper fails: ${reason}` };
  }
}

/** Text for the start line: "a native helper" or "node:crypto (no C++ compiler …)". */
export function describeEncryption(encryption: Encryption): string {
  return encryption.by === "native" ? "a native helper" : `node:crypto (${encryption.why})`;
}

/** Opens the encryptor of a delivery thread. Warns where the chosen helper no longer loads (an upgrade deleted it). */
export function openEncryptor(encryption: Encryption, log: Logger): Encryptor {
  if (encryption.by === "node") return createEncryptor();
  try {
    return openNativeEncryptor(encryption.file);
  } catch (error) {
    log.warn({ err: error }, "the native helper no longer loads: this thread encrypts with node:crypto");
    return createEncryptor();
  }
}
