/** Returns the address that a person means: a host without a scheme gets its https://. Other text stays as it is. */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  return /^[^\s/:@?#.]+(\.[^\s/:@?#.]+)+(:\d+)?([/?#]\S*)?$/.test(text) ? `https://${text}` : text;
}
