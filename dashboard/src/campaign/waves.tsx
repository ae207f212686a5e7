import { Paper, Table, Text, Title } from "@mantine/core";
import type { RunView } from "../api/calls.ts";
import { count, people } from "../components/numbers.ts";
import { momentIn, timeOf } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type Wave = NonNullable<RunView["waves"]>[number];
type Props = { waves: Wave[]; localTime: NonNullable<RunView["localTime"]> };

/** The waves of a run with local-time delivery: the readers who are notified at the same moment, by that moment. */
export function Waves({ waves, localTime }: Props) {
  const { timeZone } = useCurrentSite().site;
  const { title, eachGetsIt, nextGetIt, goesOut, clocks, readers, accepted, state } = words.campaign.waves;
  const next = waves.find((wave) => wave.state === "waiting");
  return (
    <Paper component="section" aria-label={title}>
      <Title order={2} size="h4" mb={4}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" aria-live="polite">
        {eachGetsIt({ when: timeOf(localTime) })}
        {next && ` ${nextGetIt({ people: people(next.readers), when: momentIn(timeZone, next.at) })}`}
      </Text>
      <Table.ScrollContainer
        minWidth={440}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": title, role: "region" } }}
      >
        <Table verticalSpacing="xs" className="figures" aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{goesOut}</Table.Th>
              <Table.Th>{clocks}</Table.Th>
              <Table.Th ta="right">{readers}</Table.Th>
              <Table.Th ta="right">{accepted}</Table.Th>
              <Table.Th>{state}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {waves.map((wave) => (
              <Table.Tr key={wave.at}>
                <Table.Td>{momentIn(timeZone, wave.at)}</Table.Td>
                <Table.Td>{clocksOf(wave)}</Table.Td>
                <Table.Td ta="right">{count(wave.readers)}</Table.Td>
                <Table.Td ta="right">{count(wave.accepted)}</Table.Td>
                <Table.Td>{words.campaign.waves.states[wave.state]}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function clocksOf({ utcOffset }: Wave): string {
  return utcOffset === null ? words.campaign.waves.hourHadPassed : `UTC${utcOffset}`;
}
