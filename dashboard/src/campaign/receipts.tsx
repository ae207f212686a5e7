import { Box, Paper, SimpleGrid, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { RunView, SendFacts } from "../api/calls.ts";
import { Figures } from "../components/figures.tsx";
import { count, share } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { seriesOf } from "./receipt-series.ts";

const ReceiptsChart = lazy(() => import("./receipts-chart.tsx"));

const kinds = ["displayed", "clicked", "dismissed", "unsubscribed"] as const;

/**
 * The receipts of a run: how many of the readers that it reached, and when. Compares them with the usual figures of
 * the site.
 */
export function Receipts({ run, facts }: { run: RunView; facts: SendFacts | undefined }) {
  const { timeZone } = useCurrentSite().site;
  if (run.accepted === 0) return null;
  const hasAny = run.receiptsByHour.length > 0;
  return (
    <Paper component="section" aria-label={words.campaign.receiptsTitle}>
      <Title order={2} size="h4" mb="md">
        {words.campaign.receiptsTitle}
      </Title>
      {hasAny ? (
        <>
          <Counts run={run} />
          {run.afterClick.length > 0 && <AfterClick of={run.afterClick} clicked={run.clicked} />}
          {run.actions && <Buttons actions={run.actions} />}
          {facts?.usual && <Usual usual={facts.usual} />}
          {run.timeToScreen && <ScreenTime times={run.timeToScreen} />}
          <Suspense fallback={<div style={{ height: 220 }} />}>
            <ReceiptsChart {...seriesOf(run.receiptsByHour, facts?.minutes)} timeZone={timeZone} />
          </Suspense>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {run.receipts === "off" ? words.campaign.receiptsOff : words.campaign.noReportYet}
        </Text>
      )}
    </Paper>
  );
}

/** Returns whether only browsers whose worker shows notifications report this receipt. */
const isShown = (name: (typeof kinds)[number]) => name === "displayed" || name === "dismissed";

function Counts({ run }: { run: RunView }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="md" component="dl" m={0} mb="md">
      {kinds.map((name) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {words.campaign.receipts[name].label}
          </Text>
          <Text component="dd" m={0} fz={22} fw={650} className="figures" data-receipts={name}>
            {count(run[name])}
          </Text>
          <Text component="dd" m={0} size="sm" className="figures">
            {share(run[name], isShown(name) ? run.reporting : run.accepted)}{" "}
            <span className="visually-hidden">
              {isShown(name) ? words.campaign.ofThoseReporting : words.campaign.ofThoseReached}
            </span>
          </Text>
          <Text component="dd" m={0} size="xs" c="dimmed">
            {words.campaign.receipts[name].explanation}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

/** The outcomes of the clicks: how many read the article, and outcomes that the site itself counts. */
function AfterClick({ of, clicked }: { of: RunView["afterClick"]; clicked: number }) {
  const { title, readers, ofClicks, ...texts } = words.campaign.afterClick;
  const known: Record<string, string> = texts.known;
  const rows = of.map(({ name, count: n }) => ({
    name: Object.hasOwn(known, name) ? known[name]! : name,
    cells: [count(n), share(n, clicked)],
  }));
  return (
    <Box mb="md" data-after-click>
      <Figures name={title} heads={[readers, ofClicks]} rows={rows} minWidth={300} />
    </Box>
  );
}

/** How often each button of the notification was clicked. */
function Buttons({ actions }: { actions: NonNullable<RunView["actions"]> }) {
  return (
    <Text size="sm" mb="md" className="figures" data-buttons>
      {words.campaign.buttons({ list: actions.map(({ title, clicked }) => `${title}: ${count(clicked)}`).join(" · ") })}
    </Text>
  );
}

/** How long the notification took from the send to the screen, and whether that missed the site's goal. */
function ScreenTime({ times }: { times: NonNullable<RunView["timeToScreen"]> }) {
  const { p50Seconds, p90Seconds, p99Seconds, displayed, goalSeconds } = times;
  const isLate = goalSeconds !== null && p90Seconds > goalSeconds;
  return (
    <Text size="sm" c="dimmed" mb="md" className="figures" data-screen-time>
      {words.campaign.displayTimes({
        displayed: count(displayed),
        half: duration(p50Seconds),
        most: duration(p90Seconds),
        nearlyAll: duration(p99Seconds),
      })}
      {isLate && ` ${words.campaign.displayGoalMissed({ goal: duration(goalSeconds) })}`}
    </Text>
  );
}

/** Formats a duration: in seconds below two minutes, in minutes below two hours, else in hours. */
function duration(seconds: number): string {
  if (seconds < 120) return words.campaign.seconds({ n: seconds });
  if (seconds < 7_200) return words.campaign.minutes({ n: Math.round(seconds / 60) });
  return words.campaign.hours({ n: Math.round(seconds / 3_600) });
}

/** The figures that the last notifications of this site had at this age. */
function Usual({ usual: { hours, displayed, clicked } }: { usual: NonNullable<SendFacts["usual"]> }) {
  const age = hours < 48 ? words.campaign.hours({ n: hours }) : words.campaign.days({ n: Math.round(hours / 24) });
  return (
    <Text size="sm" c="dimmed" mb="md" className="figures" data-usual>
      {words.campaign.usual({ age, displayed: share(displayed, 1), clicked: share(clicked, 1) })}
    </Text>
  );
}
