/**
 * Who is asking. Every operation receives one, decides by it what may be touched, and writes its name beside what it
 * made. `key`: a tenant's API key. `operator`: someone at the machine itself, through the command line.
 */
export type Actor = { kind: "key"; tenantId: string; keyId: string } | { kind: "operator"; tenantId: string };

/** The actor in one word, for `created_by` and the log: `key:ID` or `operator`. */
export function actorName(actor: Actor): string {
  return actor.kind === "key" ? `key:${actor.keyId}` : "operator";
}
