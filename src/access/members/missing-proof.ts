/**
 * How a person proved at the sign-in who they are. `code`: with the password and a code. `passkey`: a passkey is two
 * factors. `provider`: the provider asks for its own factors.
 */
export type Proof = "password" | "code" | "passkey" | "provider";

/** What a membership demands of a session: that it began at the provider, or with more than a password. */
export type Demands = { fromProvider: boolean; requiresSecondFactor: boolean };

export type MissingProof = "provider" | "secondFactor";

/** Returns what a session lacks to use a membership; null if it lacks nothing. */
export function missingProof({ fromProvider, requiresSecondFactor }: Demands, proof: Proof): MissingProof | null {
  if (fromProvider && proof !== "provider") return "provider";
  return requiresSecondFactor && proof === "password" ? "secondFactor" : null;
}
