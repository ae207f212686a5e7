import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Whether `password` is among the 49,000 commonest of breaches, whatever its case. The list is that of zxcvbn-ts, which
 * has it from public lists of stolen passwords; nothing is asked over the network.
 */
export function isCommonPassword(password: string): boolean {
  // Loaded (0.1 s) when the first password is set: most processes and commands set none.
  const { dictionary } = require("@zxcvbn-ts/language-common") as typeof import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}
