import { createRequire } from "node:module";
import { type Encryptor, type FixedKeys, roomFor } from "./encrypt.ts";
import { rfc8291Example } from "./rfc-8291-example.ts";

type EncryptBatch = (
  publicKeys: Buffer,
  authSecrets: Buffer,
  plaintexts: Buffer,
  bodies: Buffer,
  invalid: Uint8Array,
  ...fixed: Buffer[]
) => number;

/** The exports of native/encryptor.cc, which documents them. */
type NativeModule = {
  encryptBatch: EncryptBatch;
  encryptBatchByEight: EncryptBatch;
  prepareEight(): string | undefined;
  agreementState(): AgreementState;
};

/** The faults of AVX-512 in all threads of this process. OpenSSL corrected each of them before a message was sent. */
export type AgreementState = {
  /** Messages whose key or result by AVX-512 was not on the curve, though OpenSSL's result is. */
  failedLanes: number;
  /** Samples for which OpenSSL got a different result. The first one switches AVX-512 off in this process. */
  differences: number;
  isOff: boolean;
};

export type NativeOptions = {
  /** How shared secrets are computed: one after the other by OpenSSL (default), or eight at a time by AVX-512. */
  agreement?: "openssl" | "avx512";
  example?: FixedKeys | undefined;
  /** Called after a batch in which faults of AVX-512 were found and fixed. */
  onFaults?: (state: AgreementState) => void;
};

/**
 * The error if AVX-512 cannot be used. The message says why. `isFault`: this machine has AVX-512, but its results are
 * wrong.
 */
export class NoAvx512 extends Error {
  readonly isFault: boolean;
  constructor(why: string, isFault: boolean) {
    super(why);
    this.isFault = isFault;
  }
}

/**
 * Opens the native helper in `file`. It gives the same result as `createEncryptor`, in less than half the time.
 * Throws if the file does not load here or does not reproduce the example of RFC 8291. Throws NoAvx512 if AVX-512 is
 * asked for but not possible.
 */
export function openNativeEncryptor(file: string, options: NativeOptions = {}): Encryptor {
  const native = load(file);
  if (options.agreement === "avx512") prepareEight(native);
  const { batch, fixed, body } = rfc8291Example;
  const checked = encryptorOf(native, { ...options, example: fixed }).encryptBatch(batch);
  if (!checked.bodies.equals(body)) throw new Error("It does not reproduce the example of RFC 8291.");
  return encryptorOf(native, options);
}

/** Returns the state of the helper in `file`, which is loaded in this process. */
export function readAgreementState(file: string): AgreementState {
  return load(file).agreementState();
}

function load(file: string): NativeModule {
  return createRequire(import.meta.url)(file) as NativeModule;
}

function prepareEight(native: NativeModule): void {
  let whyNot: string | undefined;
  try {
    whyNot = native.prepareEight();
  } catch (error) {
    throw new NoAvx512((error as Error).message, true);
  }
  if (whyNot !== undefined) throw new NoAvx512(whyNot, false);
}

function encryptorOf(native: NativeModule, { agreement, example, onFaults }: NativeOptions): Encryptor {
  const encrypt = agreement === "avx512" ? native.encryptBatchByEight : native.encryptBatch;
  const fixed = example === undefined ? [] : [example.privateKey, example.salt];
  return {
    encryptBatch(batch) {
      const sealed = roomFor(batch);
      const { publicKeys, authSecrets, plaintexts } = batch;
      const faults = encrypt(publicKeys, authSecrets, plaintexts, sealed.bodies, sealed.invalid, ...fixed);
      if (faults > 0) onFaults?.(native.agreementState());
      return sealed;
    },
  };
}
