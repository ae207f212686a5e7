import { hash, verify } from "@node-rs/argon2";

/** argon2id with the library's defaults, which follow OWASP (19 MiB, 2 passes): some 20 ms, off the event loop. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** Whether `password` is the one that was hashed. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}
