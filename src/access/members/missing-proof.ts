/**
 * By what a person proved who they are at the sign-in. `code`: the password and a code. A passkey is two factors, and
 * the provider asks for its own.
 */
export type Proof = "password" | "code" | "passkey" | "provider";

/** What a membership asks of a session: that it began at the provider, or with more than a password. */
export type Demands = { fromProvider: boolean; requiresSecondFactor: boolean };

export type MissingProof = "provider" | "secondFactor";

/** Returns what a session lacks to use a membership; null if it lacks nothing. */
export function missingProof({ fromProvider, requiresSecondFactor }: Demands, proof: Proof): MissingProof | null {
  if (fromProvider && proof !== "provider") return "provider";
  return requiresSecondFactor && proof === "password" ? "secondFactor" : null;
}
