/**
 * Returns the address that a person means: adds https:// to a host without a scheme, and leaves other text as it is.
 */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  return /^[^\s/:@?#.]+(\.[^\s/:@?#.]+)+(:\d+)?([/?#]\S*)?$/.test(text) ? `https://${text}` : text;
}
