/** What a change of settings has changed: of each name that differs, what it was and what it is. Undefined: nothing. */
export function changesBetween<T extends object>(
  before: T,
  after: T,
  names: (keyof T & string)[],
): Record<string, { from: unknown; to: unknown }> | undefined {
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}
