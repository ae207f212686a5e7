/** Counts the rows of a CSV file without its header. A line break within quotes begins no row. */
export function countRows(csv: string): number {
  const rows = csv.replace(/"[^"]*"/g, "").split(/\r?\n/);
  return Math.max(0, rows.filter((row) => row.trim() !== "").length - 1);
}
