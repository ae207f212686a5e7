import type { AuditEventView } from "../api/calls.ts";
import { words } from "../words/words.ts";

/**
 * Returns the label of an actor: a person's name and address, the name of an API key or feed, or the kind of an actor
 * without a name. `place`: whether the label begins a line or is within a sentence.
 */
export function whoDid({ kind, name }: AuditEventView["by"], place: "begin" | "within" = "begin"): string {
  if (kind === "user" && name !== null) return name;
  const { keyOf, feedOf, nameless, ...others } = words.components.actors[place];
  if (kind === "key" || kind === "feed") return (kind === "key" ? keyOf : feedOf)({ name: name ?? nameless });
  return others[kind];
}
