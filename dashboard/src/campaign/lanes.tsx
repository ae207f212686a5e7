import { Paper, Table, Title } from "@mantine/core";
import type { SendFacts } from "../api/calls.ts";
import { count, share } from "../components/numbers.ts";
import { nameOfLane } from "../subscribers/lane-names.ts";

/** A run by push service: to how many people it went there, and how many of them it reached. */
export function Lanes({ lanes }: { lanes: SendFacts["lanes"] }) {
  if (lanes.length === 0) return null;
  return (
    <Paper component="section" aria-label="By push service">
      <Title order={2} size="h4" mb="sm">
        By push service
      </Title>
      <Table verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Browsers</Table.Th>
            <Table.Th w={84} ta="right">
              People
            </Table.Th>
            <Table.Th w={84} ta="right">
              Reached
            </Table.Th>
            <Table.Th w={72} ta="right">
              Share
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lanes.map(({ lane, ...counts }) => {
            const size = Object.values(counts).reduce((sum, n) => sum + n, 0);
            return (
              <Table.Tr key={lane}>
                <Table.Td>{lane === "none" ? "Not looked up" : nameOfLane(lane)}</Table.Td>
                <Table.Td ta="right">{count(size)}</Table.Td>
                <Table.Td ta="right">{count(counts.accepted)}</Table.Td>
                <Table.Td ta="right">{share(counts.accepted, size)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
