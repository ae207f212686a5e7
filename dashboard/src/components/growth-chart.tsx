import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Box, VisuallyHidden } from "@mantine/core";
import type { Overview } from "../api/calls.ts";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";
import { seriesColour } from "./chart-colours.ts";
import { count } from "./numbers.ts";

/** A chart of subscribers per day: joined above the axis, left below it. Screen readers get the totals as text. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function GrowthChart({ days }: Pick<Overview, "days">) {
  const data = days.map(({ day, joined, left }) => ({ day: shortDay(day), joined, left: -left }));
  const joined = days.reduce((sum, day) => sum + day.joined, 0);
  const left = days.reduce((sum, day) => sum + day.left, 0);
  return (
    <>
      <VisuallyHidden>{words.components.growth({ days: days.length, joined, left })}</VisuallyHidden>
      <Box aria-hidden="true">
        <BarChart
          h={236}
          data={data}
          dataKey="day"
          type="stacked"
          series={[
            { name: "joined", label: words.components.joined, color: seriesColour("main") },
            { name: "left", label: words.components.left, color: seriesColour("grey") },
          ]}
          valueFormatter={(value) => count(Math.abs(value))}
          tickLine="none"
          gridAxis="x"
          withLegend
          legendProps={{ verticalAlign: "bottom", height: 40, itemSorter: null }}
          barProps={{ radius: 3, isAnimationActive: false }}
          barChartProps={{ stackOffset: "sign", accessibilityLayer: false }}
          xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 24 }}
          yAxisProps={{ width: 56, allowDecimals: false, interval: 0 }}
        />
      </Box>
    </>
  );
}

/** Formats a day of a calendar, such as "21 Nov". */
export function shortDay(day: string): string {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(day));
}
