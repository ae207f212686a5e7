/** Counts the rows of a CSV file without its header. A line break within quotes begins no row. */
export function countRows(csv: string): number {
  // A row of quoted text alone is not empty.
  const rows = csv.replace(/"[^"]*"/g, "quoted").split(/\r?\n/);
  return Math.max(0, rows.filter((row) => row.trim() !== "").length - 1);
}
