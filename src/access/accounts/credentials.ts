import { createHash, randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { expects } from "../../input.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** An e-mail address in a caller's input; the output is lower case, as addresses are stored. */
export const emailAddress = z
  .email(zodText(faults.not_an_email()))
  .max(254, zodText(faults.too_long({ most: 254 })))
  .toLowerCase();
/** A password to set, or the password of an existing account, in a caller's input. */
export const longEnoughPassword = z
  .string(expects("a string"))
  .min(8, zodText(faults.too_short({ least: 8 })))
  .max(128, zodText(faults.too_long({ most: 128 })));
/** A password to set, in a caller's input. A password from lists of stolen passwords is refused. */
export const newPassword = longEnoughPassword.refine(
  // For a password that is too short, the only message is that it is too short.
  (password) => password.length < 8 || !isCommonPassword(password),
  zodText(faults.stolen_password()),
);
/** A password to verify, in a caller's input: any length that could have been set. */
export const givenPassword = z.string(expects("a string")).max(128, zodText(faults.too_long({ most: 128 })));
/** The token of an invitation or a password link, in a caller's input. */
export const linkToken = z
  .string(expects("a string"))
  .min(1, zodText(faults.empty()))
  .max(100, zodText(faults.not_our_token()));

/**
 * Hashes a password with argon2id and the library's defaults, which follow OWASP (19 MiB, 2 passes). It takes 20 ms,
 * off the event loop.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** Returns whether `password` is the password that was hashed. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** Generates the secret of a link that works once: 256 random bits, base64url. The database stores only its hash. */
export function generateLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: hashLinkToken(token) };
}

/** Hashes a token with SHA-256. Nobody can guess 256 random bits, so they need no slow hash. */
export function hashLinkToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
