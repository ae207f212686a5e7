import { Badge, Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { chooseHeadline, type RunView } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { count, share } from "../components/numbers.ts";
import { sayPicture, sayText } from "../components/other-headlines.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type Test = NonNullable<RunView["headlineTest"]>;

/** The headlines that a run tries, and what readers did with each. */
export function HeadlineTest({ test, runId }: { test: Test; runId: string }) {
  const { canEdit } = useCurrentSite();
  // If all readers take part, nobody waits for the better headline.
  const canChoose = canEdit && test.status === "running" && test.share < 100;
  const { headline, readers, seen, clicked, best } = words.campaign.headlineTest;
  const differs = (field: "body" | "imageUrl") => new Set(test.variants.map((variant) => variant[field])).size > 1;
  return (
    <Paper component="section" aria-label={words.campaign.headlineTest.title} data-headline-test={test.status}>
      <Title order={2} size="h4" mb={4}>
        {words.campaign.headlineTest.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" aria-live="polite">
        <Ending test={test} />
      </Text>
      <Table.ScrollContainer
        minWidth={440}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": headline, role: "region" } }}
      >
        <Table verticalSpacing="xs" className="figures" aria-label={headline}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{headline}</Table.Th>
              {[readers, seen, clicked, best].map((name) => (
                <Table.Th key={name} ta="right">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {test.variants.map((variant, i) => (
              <Table.Tr key={`${variant.title} ${variant.body} ${variant.imageUrl}`}>
                <Table.Td>
                  <Group gap="xs">
                    <bdi>{variant.title}</bdi>
                    {test.chosen === i && <Badge variant="default">{words.campaign.headlineTest.forAllOthers}</Badge>}
                  </Group>
                  {differs("body") && <Own>{sayText(variant.body)}</Own>}
                  {differs("imageUrl") && <Own>{sayPicture(variant.imageUrl)}</Own>}
                  {canChoose && <GiveToAll runId={runId} variant={i} headline={variant.title} />}
                </Table.Td>
                <Table.Td ta="right">{count(variant.recipients)}</Table.Td>
                <Table.Td ta="right">{count(variant.shown)}</Table.Td>
                <Table.Td ta="right">
                  {count(variant.clicked)}{" "}
                  <Text component="span" size="sm" c="dimmed">
                    {share(variant.clicked, variant.measured)}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{share(Math.min(0.999, variant.probability), 1)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

/** The button that ends the test by hand, after a question. */
function GiveToAll({ runId, variant, headline }: { runId: string; variant: number; headline: string }) {
  const { tenantId } = useCurrentSite();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { giveToAll, giveThisToAll, giveIt, goOnComparing, whatGivingDoes } = words.campaign.headlineTest;
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        mt={6}
        aria-label={`${giveToAll}: ${headline}`}
        onClick={() => setAsking(true)}
      >
        {giveToAll}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={giveThisToAll}
        action={giveIt}
        refusal={goOnComparing}
        act={async () => {
          queries.setQueryData(["run", runId], await chooseHeadline(tenantId, runId, variant));
        }}
      >
        {whatGivingDoes({ headline: <b>{headline}</b> })}
      </Confirm>
    </>
  );
}

/** The text or picture by which a variant differs from others with the same title. */
function Own({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" dir="auto" style={{ overflowWrap: "anywhere" }}>
      {children}
    </Text>
  );
}

function Ending({ test: { status, endsAt, waitsFor } }: { test: Test }) {
  const { timeZone } = useCurrentSite().site;
  const { endings, runsUntil, halted } = words.campaign.headlineTest;
  if (status !== "running") return endings[status];
  return endsAt === null ? halted[waitsFor ?? "first_accepted"] : runsUntil({ when: momentIn(timeZone, endsAt) });
}
