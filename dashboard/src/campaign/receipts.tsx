import { Paper, SimpleGrid, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { RunView } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";
import { count, share } from "../parts/numbers.ts";
import { seriesOf } from "./receipt-series.ts";

const ReceiptsChart = lazy(() => import("./receipts-chart.tsx"));

const kinds = [
  { name: "displayed", word: "Displayed", says: "Safari does not report it" },
  { name: "clicked", word: "Clicked", says: "The story was opened" },
  { name: "dismissed", word: "Dismissed", says: "Closed; many phones do not tell" },
  { name: "unsubscribed", word: "Left", says: "Turned it off from this nudge" },
] as const;

/** What readers did with a nudge: how many of those that it reached, and when. */
export function Receipts({ run }: { run: RunView }) {
  const { timeZone } = usePlace().site;
  if (run.accepted === 0) return null;
  const hasAny = run.receiptsByHour.length > 0;
  return (
    <Paper component="section" aria-label="What readers did">
      <Title order={2} size="h4" mb="md">
        What readers did
      </Title>
      {hasAny ? (
        <>
          <Figures run={run} />
          <Suspense fallback={<div style={{ height: 220 }} />}>
            <ReceiptsChart {...seriesOf(run.receiptsByHour)} timeZone={timeZone} />
          </Suspense>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          No browser has reported yet. Reports come from sites with the snippet, from the first minute on, for a week.
        </Text>
      )}
    </Paper>
  );
}

function Figures({ run }: { run: RunView }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="md" component="dl" m={0} mb="md">
      {kinds.map(({ name, word, says }) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {word}
          </Text>
          <Text component="dd" m={0} fz={22} fw={650} className="figures" data-receipts={name}>
            {count(run[name])}
          </Text>
          <Text component="dd" m={0} size="sm" className="figures">
            {share(run[name], run.accepted)}
            <span className="unseen"> of those reached</span>
          </Text>
          <Text component="dd" m={0} size="xs" c="dimmed">
            {says}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
