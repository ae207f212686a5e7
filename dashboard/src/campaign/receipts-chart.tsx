import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Box } from "@mantine/core";
import { seriesColour } from "../components/chart-colours.ts";
import { count } from "../components/numbers.ts";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";
import type { Series } from "./receipt-series.ts";

const timeFormats: Record<Series["step"], Intl.DateTimeFormatOptions> = {
  minute: { hour: "2-digit", minute: "2-digit" },
  hour: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
};

const series = [
  { name: "displayed", color: seriesColour("first") },
  { name: "clicked", color: seriesColour("second") },
  { name: "dismissed", color: seriesColour("grey") },
] as const;

/** A chart of receipts over time. Hidden from screen readers, which read the figures above it. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function ReceiptsChart({ points, step, timeZone }: Series & { timeZone: string }) {
  const timeFormat = new Intl.DateTimeFormat(locale, { timeZone, ...timeFormats[step] });
  const data = points.map(({ at, displayed, clicked, dismissed }) => ({
    at: timeFormat.format(at),
    displayed,
    clicked,
    dismissed,
  }));
  const labelled = series.map((one) => ({ ...one, label: words.campaign.receipts[one.name].label }));
  return (
    <Box aria-hidden="true">
      <BarChart
        h={220}
        data={data}
        dataKey="at"
        series={step === "minute" ? labelled.slice(0, 2) : labelled}
        valueFormatter={count}
        tickLine="none"
        gridAxis="x"
        withLegend
        // Without this, the legend is in alphabetical order.
        legendProps={{ verticalAlign: "bottom", itemSorter: null }}
        barProps={{ radius: 3, isAnimationActive: false }}
        maxBarWidth={28}
        barChartProps={{ accessibilityLayer: false, barGap: 0, barCategoryGap: "15%" }}
        xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 24 }}
        yAxisProps={{ width: 56, allowDecimals: false, interval: 0 }}
      />
    </Box>
  );
}
