import { Table } from "@mantine/core";
import type { ReactNode } from "react";

/** A table of figures, with the names of the rows in the first column. `key`: of a row whose name is not a text. */
export function Figures({
  name,
  heads,
  rows,
  minWidth = 420,
}: {
  name: string;
  minWidth?: number;
  heads: string[];
  rows: { key?: string; name: ReactNode; cells: string[] }[];
}) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": name, role: "region" } }}
    >
      <Table verticalSpacing={4} className="figures" aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            {heads.map((head) => (
              <Table.Th key={head} ta="right">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key ?? String(row.name)}>
              <Table.Th scope="row" fw={400}>
                {row.name}
              </Table.Th>
              {row.cells.map((cell, column) => (
                <Table.Td key={heads[column]} ta="right">
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
