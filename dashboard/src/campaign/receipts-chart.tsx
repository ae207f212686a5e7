import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Box } from "@mantine/core";
import { count } from "../components/numbers.ts";
import { words } from "../words/words.ts";
import type { Series } from "./receipt-series.ts";

const timeFormats: Record<Series["step"], Intl.DateTimeFormatOptions> = {
  minute: { hour: "2-digit", minute: "2-digit" },
  hour: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
};

const series = [
  {
    get name() {
      return words.campaign.displayed;
    },
    color: "petrol.3",
  },
  {
    get name() {
      return words.campaign.clicked;
    },
    color: "petrol.7",
  },
  {
    get name() {
      return words.campaign.dismissed;
    },
    color: "gray.5",
  },
];

/** A chart of receipts over time. Hidden from screen readers, which read the figures above it. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function ReceiptsChart({ points, step, timeZone }: Series & { timeZone: string }) {
  const timeFormat = new Intl.DateTimeFormat("en-GB", { timeZone, ...timeFormats[step] });
  const data = points.map(({ at, displayed, clicked, dismissed }) => ({
    ...{ at: timeFormat.format(at), Displayed: displayed, Clicked: clicked, Dismissed: dismissed },
  }));
  return (
    <Box aria-hidden="true">
      <BarChart
        h={220}
        data={data}
        dataKey="at"
        series={step === "minute" ? series.slice(0, 2) : series}
        valueFormatter={count}
        tickLine="none"
        gridAxis="x"
        withLegend
        // Its own order is that of the alphabet.
        legendProps={{ verticalAlign: "bottom", itemSorter: null }}
        barProps={{ radius: 3, isAnimationActive: false }}
        maxBarWidth={28}
        barChartProps={{ accessibilityLayer: false }}
        xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 24 }}
        yAxisProps={{ width: 56, allowDecimals: false, interval: 0 }}
      />
    </Box>
  );
}
