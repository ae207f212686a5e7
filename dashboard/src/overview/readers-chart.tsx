import "@mantine/charts/styles.css";
import { LineChart } from "@mantine/charts";
import { Box, VisuallyHidden } from "@mantine/core";
import type { Period } from "../api/calls.ts";
import { seriesColour } from "../components/chart-colours.ts";
import { shortDay } from "../components/growth-chart.tsx";
import { count } from "../components/numbers.ts";
import { words } from "../words/words.ts";

/** A line chart of the readers at the end of each day. Screen readers get the first and the last number as text. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function ReadersChart({ days }: Pick<Period, "days">) {
  const data = days.map(({ day, readers }) => ({ day: shortDay(day), readers }));
  return (
    <>
      <VisuallyHidden>
        {words.overview.readersFromTo({ first: count(data[0]!.readers), last: count(data.at(-1)!.readers) })}
      </VisuallyHidden>
      <Box aria-hidden="true">
        <LineChart
          h={236}
          data={data}
          dataKey="day"
          series={[{ name: "readers", label: words.overview.readers, color: seriesColour("main") }]}
          valueFormatter={count}
          curveType="linear"
          withDots={false}
          tickLine="none"
          gridAxis="x"
          lineProps={{ isAnimationActive: false }}
          lineChartProps={{ accessibilityLayer: false }}
          xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 24 }}
          yAxisProps={{ width: 64, allowDecimals: false, domain: ["auto", "auto"] }}
        />
      </Box>
    </>
  );
}
