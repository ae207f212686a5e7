/** Returns the number of rows of a CSV file without its header. A line break within quotes does not begin a row. */
export function countRows(csv: string): number {
  // The quoted text is replaced by a word, so that a row with only quoted text does not become empty.
  const rows = csv.replace(/"[^"]*"/g, "quoted").split(/\r?\n/);
  return Math.max(0, rows.filter((row) => row.trim() !== "").length - 1);
}
