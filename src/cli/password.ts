import { createPasswordLinkFor, passwordLinkUrl } from "../access/accounts/password-links.ts";
import type { App } from "../app.ts";
import { hostHere, publicBase } from "../config.ts";
import { type Command, print } from "./command.ts";

export const passwordLink: Command = {
  words: ["password", "link"],
  summary: "Print a link with which a person sets a new password",
  usage: "password link --email EMAIL [--json]\n      a link with which this person sets a new password; it works once",
  options: { email: { type: "string" }, json: { type: "boolean" } },
  required: ["email"],
  async run(app, values) {
    const { email, token, validHours } = await createPasswordLinkFor(app, String(values.email));
    const link = printableLink(app, token);
    if (values.json === true) return print(values, { email, link, validHours });
    process.stdout.write(`Give this link to ${email}. It works once, and for ${validHours} hours:\n\n  ${link}\n`);
  },
};

/**
 * Returns the password link with this token, for the terminal. Logs a warning if the link does not work from other
 * machines.
 */
export function printableLink(app: App, token: string): string {
  const { HOST, PORT, PUBLIC_URL } = app.config;
  if (PUBLIC_URL === undefined) app.log.warn("PUBLIC_URL is not set: this link works on this machine only");
  return passwordLinkUrl(publicBase(app.config, `http://${hostHere(HOST)}:${PORT}`), token);
}
