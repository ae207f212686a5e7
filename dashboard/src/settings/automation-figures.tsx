import { Table, Text } from "@mantine/core";
import type { AutomationFigures } from "../../../src/automations/figures.ts";
import { count, share } from "../components/numbers.ts";
import { words } from "../words/words.ts";

/** A line of the table. `removed`: the readers that a win-back removed, if it removes readers. */
type Line = AutomationFigures & { name: string; removed?: number };

/** The figures of the last 30 days of automatic notifications. Shows nothing before the first of them is sent. */
export function AutomationFiguresTable({ lines }: { lines: Line[] }) {
  const { lastDays, readers, seen, clicked, left, removed } = words.settings.automatedNudge.figures;
  if (lines.length === 0) return null;
  const removes = lines.some((line) => line.removed !== undefined);
  return (
    <Table.ScrollContainer
      minWidth={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": lastDays, role: "region" } }}
    >
      <Table verticalSpacing="xs" className="figures" aria-label={lastDays}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{lastDays}</Table.Th>
            {[readers, seen, clicked, left, ...(removes ? [removed] : [])].map((name) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.name}>
              <Table.Td>{line.name}</Table.Td>
              <Table.Td ta="right">{count(line.accepted)}</Table.Td>
              <Table.Td ta="right">{count(line.displayed)}</Table.Td>
              <Table.Td ta="right">
                {count(line.clicked)}{" "}
                <Text component="span" size="sm" c="dimmed">
                  {share(line.clickedReporting, line.displayed)}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{count(line.unsubscribed)}</Table.Td>
              {line.removed !== undefined && <Table.Td ta="right">{count(line.removed)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
