import "@mantine/charts/styles.css";
import { BarChart, LineChart } from "@mantine/charts";
import { Box, VisuallyHidden } from "@mantine/core";
import type { Period } from "../api/calls.ts";
import { seriesColour } from "../components/chart-colours.ts";
import { shortDay } from "../components/growth-chart.tsx";
import { count, share } from "../components/numbers.ts";
import { words } from "../words/words.ts";

const common = {
  dataKey: "day",
  tickLine: "none",
  gridAxis: "x",
  withLegend: true,
  legendProps: { verticalAlign: "top", height: 28 },
  xAxisProps: { interval: "equidistantPreserveStart", minTickGap: 24 },
  yAxisProps: { width: 56, allowDecimals: false },
} as const;

type Sent = Period["sent"][number];

/**
 * Charts of the clicks and of the click rate, by day. Over more than 30 days, they are by week. Screen readers get
 * the sums as text.
 */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function ClicksChart({ sent }: Pick<Period, "sent">) {
  const data = (sent.length > 30 ? weeksOf(sent) : sent).map(({ day, reached, clicked }) => ({
    day: shortDay(day),
    clicked,
    // A day on which nothing was sent has no rate.
    rate: reached === 0 ? null : clicked / reached,
  }));
  const sum = (name: "clicked" | "reached") => sent.reduce((total, one) => total + one[name], 0);
  const { clicks, clicksOfPeriod, clickRate } = words.overview;
  return (
    <>
      <VisuallyHidden>
        {clicksOfPeriod({ clicked: count(sum("clicked")), rate: share(sum("clicked"), sum("reached")) })}
      </VisuallyHidden>
      <Box aria-hidden="true">
        <BarChart
          {...common}
          h={160}
          data={data}
          series={[{ name: "clicked", label: clicks, color: seriesColour("main") }]}
          valueFormatter={count}
          maxBarWidth={28}
          barProps={{ radius: 3, isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
        <LineChart
          {...common}
          h={160}
          data={data}
          series={[{ name: "rate", label: clickRate, color: seriesColour("main") }]}
          valueFormatter={(rate) => share(rate, 1)}
          curveType="linear"
          connectNulls
          lineProps={{ isAnimationActive: false }}
          lineChartProps={{ accessibilityLayer: false }}
          yAxisProps={{ width: 56 }}
        />
      </Box>
    </>
  );
}

/** Sums days to weeks. The last week ends with the last day. The name of a week is its first day. */
function weeksOf(sent: Sent[]): Sent[] {
  const weeks: Sent[] = [];
  for (let end = sent.length; end > 0; end -= 7) {
    const days = sent.slice(Math.max(0, end - 7), end);
    const sum = (name: "clicked" | "reached") => days.reduce((total, one) => total + one[name], 0);
    weeks.unshift({ day: days[0]!.day, reached: sum("reached"), clicked: sum("clicked") });
  }
  return weeks;
}
