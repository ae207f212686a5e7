import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Box } from "@mantine/core";
import { count } from "../components/numbers.ts";
import type { Point } from "./receipt-series.ts";

/** A chart of receipts over time. Hidden from screen readers, which read the figures above it. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function ReceiptsChart(props: { points: Point[]; step: "hour" | "day"; timeZone: string }) {
  const { points, step, timeZone } = props;
  const timeFormat = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    ...(step === "hour"
      ? { weekday: "short", hour: "2-digit", minute: "2-digit" }
      : { day: "numeric", month: "short" }),
  });
  const data = points.map(({ at, displayed, clicked, dismissed }) => ({
    ...{ at: timeFormat.format(at), Displayed: displayed, Clicked: clicked, Dismissed: dismissed },
  }));
  return (
    <Box aria-hidden="true">
      <BarChart
        h={220}
        data={data}
        dataKey="at"
        series={[
          { name: "Displayed", color: "petrol.3" },
          { name: "Clicked", color: "petrol.7" },
          { name: "Dismissed", color: "gray.5" },
        ]}
        valueFormatter={count}
        tickLine="none"
        gridAxis="x"
        withLegend
        legendProps={{ verticalAlign: "bottom" }}
        barProps={{ radius: 3, isAnimationActive: false }}
        maxBarWidth={28}
        barChartProps={{ accessibilityLayer: false }}
        xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 24 }}
        yAxisProps={{ width: 56, allowDecimals: false, interval: 0 }}
      />
    </Box>
  );
}
