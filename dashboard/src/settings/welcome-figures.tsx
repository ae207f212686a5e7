import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { welcomeFigures } from "../api/welcome-calls.ts";
import { count, share } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** What readers did with each step in the last 30 days. Nothing before the first is sent. */
export function WelcomeFigures() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["welcome-figures", siteId], queryFn: () => welcomeFigures(tenantId, siteId) });
  const { lastDays, nudge, readers, seen, clicked, left } = words.settings.welcome.figures;
  if (query.data === undefined || query.data.steps.length === 0) return null;
  return (
    <Table.ScrollContainer
      minWidth={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": lastDays, role: "region" } }}
    >
      <Table verticalSpacing="xs" className="figures" aria-label={lastDays}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{lastDays}</Table.Th>
            {[readers, seen, clicked, left].map((name) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {query.data.steps.map(({ step, accepted, displayed, clicked: clicks, clickedReporting, unsubscribed }) => (
            <Table.Tr key={step} data-step={step}>
              <Table.Td>{nudge({ n: step })}</Table.Td>
              <Table.Td ta="right">{count(accepted)}</Table.Td>
              <Table.Td ta="right">{count(displayed)}</Table.Td>
              <Table.Td ta="right">
                {count(clicks)}{" "}
                <Text component="span" size="sm" c="dimmed">
                  {share(clickedReporting, displayed)}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{count(unsubscribed)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
