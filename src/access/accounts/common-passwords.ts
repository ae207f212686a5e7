import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Returns whether `password` is, in any case, among the 49,000 most common passwords of breaches. The list is that of
 * zxcvbn-ts, which takes it from public lists of stolen passwords. Nothing is asked over the network.
 */
export function isCommonPassword(password: string): boolean {
  // The list loads (0.1 s) when the first password is set, because most processes and commands set none.
  const { dictionary } = require("@zxcvbn-ts/language-common") as typeof import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}
