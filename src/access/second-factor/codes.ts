import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { SecretBox } from "../../secret-box.ts";

const stepSeconds = 30;
/** 160 bits, as RFC 4226 recommends (section 4, R6). */
const secretBytes = 20;
const recoveryCodeCount = 10;
/** 80 bits: nobody can guess a code from its hash. */
const recoveryCodeBytes = 10;

const sealContext = (userId: string) => `second factor:${userId}`;

/** Generates a secret for an authenticator app. `key`: the secret in base32, for typing. `uri`: for the QR code. */
export function generateSecret(email: string): { secret: Buffer; key: string; uri: string } {
  const secret = randomBytes(secretBytes);
  const totp = totpOf(secret, email);
  return { secret, key: totp.secret.base32, uri: totp.toString() };
}

export function sealSecret(secrets: SecretBox, userId: string, secret: Buffer): Buffer {
  return secrets.seal(secret, sealContext(userId));
}

export function openSecret(secrets: SecretBox, userId: string, sealed: Buffer): Buffer {
  return secrets.open(sealed, sealContext(userId));
}

/**
 * Returns the time step (RFC 6238) of `code`; null if the code is wrong. A code is valid for its own 30 seconds. It
 * is also valid for the 30 seconds before and after, because clocks differ.
 */
export function stepOfCode(secret: Buffer, code: string, nowMs: number): number | null {
  const delta = totpOf(secret, "").validate({ token: code, timestamp: nowMs, window: 1 });
  return delta === null ? null : Math.floor(nowMs / 1_000 / stepSeconds) + delta;
}

function totpOf(secret: Buffer, label: string): TOTP {
  const bytes = new Uint8Array(secret);
  return new TOTP({ issuer: "Pressbell", label, secret: new Secret({ buffer: bytes.buffer }), period: stepSeconds });
}

/** Generates recovery codes such as `k3fq-9x2m-h7ta-0wzc`, with the hashes that are stored. */
export function generateRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: recoveryCodeCount }, () => {
    const text = new Secret({ buffer: new Uint8Array(randomBytes(recoveryCodeBytes)).buffer }).base32.toLowerCase();
    return text.match(/.{4}/g)!.join("-");
  });
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** Hashes a recovery code as a person types it: case, spaces and hyphens do not count. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash("sha256")
    .update(`recovery code ${code.toLowerCase().replace(/[\s-]/g, "")}`)
    .digest();
}
