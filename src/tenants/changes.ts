/**
 * Compares two versions of a record for the audit log. Returns the old and the new value of each of `names` that
 * differs; undefined if none differs.
 */
export function changesBetween<T extends object>(
  before: T,
  after: T,
  names: readonly (keyof T & string)[],
): Record<string, { from: unknown; to: unknown }> | undefined {
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}
