import type { Config } from "../../config.ts";
import { ConfigError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { createEncryptor, type Encryptor } from "./encrypt.ts";
import { buildNative, type NativeBuild, NoNativeHelper } from "./native-build.ts";
import { type AgreementState, NoAvx512, openNativeEncryptor, readAgreementState } from "./native-encryptor.ts";

/** The encryption of this process: the native helper in `file`, or Node.js with the reason why. */
export type Encryption =
  | { by: "native"; file: string; agreement: "avx512" }
  | { by: "native"; file: string; agreement: "openssl"; withoutAvx512?: { why: string; isFault: boolean } }
  | { by: "node"; why: string };

/**
 * Chooses the encryption and returns it. Builds the native helper the first time, which takes some seconds. With
 * `auto`, it tries AVX-512, OpenSSL and Node.js in this order, and takes the first without a fault. Throws
 * ConfigError if `avx512` or `openssl` is set but not possible. Loads the helper once, so that a fault shows at the
 * start and not in a thread.
 */
export async function chooseEncryption(setting: Config["ENCRYPTION"], build?: NativeBuild): Promise<Encryption> {
  if (setting === "node") return { by: "node", why: "as ENCRYPTION says" };
  try {
    return openBest(setting, await buildNative(build));
  } catch (error) {
    const why = reasonOf(error);
    // An aborted build means that the process ends. It encrypts nothing then, so its setting is not refused.
    if (setting === "auto" || build?.signal?.aborted) return { by: "node", why };
    throw new ConfigError(
      `Wrong setting: ENCRYPTION is ${setting}, but ${why}. Set it to auto for the fastest way that this machine has.`,
    );
  }
}

function openBest(setting: "auto" | "avx512" | "openssl", file: string): Encryption {
  if (setting === "openssl") {
    openNativeEncryptor(file);
    return { by: "native", file, agreement: "openssl" };
  }
  try {
    openNativeEncryptor(file, { agreement: "avx512" });
    return { by: "native", file, agreement: "avx512" };
  } catch (error) {
    if (setting === "avx512" || !(error instanceof NoAvx512)) throw error;
    openNativeEncryptor(file);
    return { by: "native", file, agreement: "openssl", withoutAvx512: { why: error.message, isFault: error.isFault } };
  }
}

function reasonOf(error: unknown): string {
  const reason = (error as Error).message.split("\n", 1)[0]!;
  const isExplained = error instanceof NoNativeHelper || error instanceof NoAvx512;
  return isExplained ? reason : `the native helper fails: ${reason}`;
}

/** Returns text for the start line: "a native helper with AVX-512" or "node:crypto (no C++ compiler …)". */
export function describeEncryption(encryption: Encryption): string {
  if (encryption.by === "node") return `node:crypto (${encryption.why})`;
  if (encryption.agreement === "avx512") return "a native helper with AVX-512";
  const { withoutAvx512 } = encryption;
  return withoutAvx512 === undefined ? "a native helper" : `a native helper (${withoutAvx512.why})`;
}

/** Returns a warning if AVX-512 is there but computes wrongly; undefined if all is well. */
export function encryptionWarning(encryption: Encryption): string | undefined {
  if (encryption.by === "node" || encryption.agreement === "avx512" || !encryption.withoutAvx512?.isFault) return;
  return `${encryption.withoutAvx512.why} OpenSSL encrypts instead. Report this with the processor's model and compiler.`;
}

/** Returns the faults of AVX-512 in this process so far; undefined if it was not chosen. */
export function agreementStateOf(encryption: Encryption): AgreementState | undefined {
  if (encryption.by === "node" || encryption.agreement === "openssl") return undefined;
  return readAgreementState(encryption.file);
}

/**
 * Opens the encryptor of a delivery thread. If the chosen helper no longer loads, because an upgrade deleted it,
 * warns and uses Node.js.
 */
export function openEncryptor(encryption: Encryption, log: Logger): Encryptor {
  if (encryption.by === "node") return createEncryptor();
  const { file, agreement } = encryption;
  try {
    return openNativeEncryptor(file, { agreement, onFaults: (state) => warnOfFaults(log, state) });
  } catch (error) {
    log.warn({ err: error }, "the native helper no longer loads: this thread encrypts with node:crypto");
    return createEncryptor();
  }
}

function warnOfFaults(log: Logger, state: AgreementState): void {
  log.warn(
    state,
    state.isOff
      ? "AVX-512 and OpenSSL came to different results: OpenSSL encrypts in this process from now on. Check the machine"
      : "AVX-512 came to points beside the curve: OpenSSL computed these messages again. Check the machine",
  );
}
