import type { AuditEventView } from "../api/calls.ts";

/**
 * The label of an actor: a person's address, a key's or feed's name, or what acts without a name. `place`: whether it
 * begins a line, or stands within a sentence.
 */
export function whoDid({ kind, name }: AuditEventView["by"], place: "begin" | "within" = "begin"): string {
  const words: Record<typeof kind, string> = {
    user: name ?? "Somebody whose account is gone",
    key: `API key ${name ?? "that is gone"}`,
    feed: `Feed ${name ?? "that is gone"}`,
    operator: "The command line",
    schedule: "The schedule",
    reader: "Readers’ browsers",
    stranger: "Somebody who is not signed in",
  };
  if (place === "begin" || (kind === "user" && name !== null)) return words[kind];
  if (kind === "key" || kind === "feed") return `the ${words[kind].replace("Feed", "feed")}`;
  return words[kind].replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}
