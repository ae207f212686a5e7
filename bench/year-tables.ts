import type { YearMeasurement } from "./year.ts";

const tablesShown = 10;

/** Returns the remaining data of a year of sends, as Markdown tables. */
export function yearTables(measured: YearMeasurement): string {
  const { tables, imported, most, keptOfSend, vacuumSeconds, statements } = measured;
  const sum = (pick: (table: YearMeasurement["tables"][number]) => number) =>
    tables.reduce((total, table) => total + pick(table), 0);
  return [
    row(["what", "measured"]),
    row(["---", "---:"]),
    row(["all tables after the import", mb(imported)]),
    row(["at most, at the end of a day", mb(most)]),
    row(["after the year and all retention", mb(sum(({ bytes }) => bytes))]),
    row(["the same, rewritten", mb(sum(({ rewritten }) => rewritten))]),
    row(["each send, after its retention", `${Math.round(keptOfSend).toLocaleString("en")} bytes`]),
    row(["a vacuum of all tables, afterwards", `${vacuumSeconds.toFixed(1)} s`]),
    "",
    row(["table, with its indexes", "MB", "rewritten", "rows", "dead rows", "autovacuums"]),
    row(["---", "---:", "---:", "---:", "---:", "---:"]),
    ...tables
      .slice(0, tablesShown)
      .map(({ name, bytes, rewritten, live, dead, vacuums }) =>
        row([
          name,
          (bytes / 1e6).toFixed(1),
          (rewritten / 1e6).toFixed(1),
          String(live),
          String(dead),
          String(vacuums),
        ]),
      ),
    "",
    row(["the longest statements", "calls", "longest", "mean"]),
    row(["---", "---:", "---:", "---:"]),
    ...statements.map(({ query, calls, longestMs, meanMs }) =>
      row([
        query.slice(0, 90).replaceAll("|", "\\|"),
        String(calls),
        `${longestMs.toFixed(1)} ms`,
        `${meanMs.toFixed(1)} ms`,
      ]),
    ),
  ].join("\n");
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function row(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}
