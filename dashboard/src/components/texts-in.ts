/** Returns the search parameters with these names that are texts. Leaves out empty ones. */
export function textsIn<Name extends string>(
  names: readonly Name[],
  search: Record<string, unknown>,
): { [Each in Name]?: string } {
  const found = names.flatMap((name) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}
