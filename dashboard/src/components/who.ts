import type { AuditEventView } from "../api/calls.ts";
import { words } from "../words/words.ts";

/**
 * The label of an actor: a person's name and address, a key's or feed's name, or what acts without a name. `place`: whether it
 * begins a line, or stands within a sentence.
 */
export function whoDid({ kind, name }: AuditEventView["by"], place: "begin" | "within" = "begin"): string {
  if (kind === "user" && name !== null) return name;
  const { keyOf, feedOf, nameless, ...others } = words.components.actors[place];
  if (kind === "key" || kind === "feed") return (kind === "key" ? keyOf : feedOf)({ name: name ?? nameless });
  return others[kind];
}
