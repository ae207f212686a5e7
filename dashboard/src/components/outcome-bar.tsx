import { Progress } from "@mantine/core";
import type { CampaignRow } from "../api/calls.ts";
import { words } from "../words/words.ts";
import { seriesColour } from "./chart-colours.ts";
import { share } from "./numbers.ts";

type Counts = Pick<
  NonNullable<CampaignRow["run"]>,
  "audience" | "pending" | "accepted" | "gone" | "failed" | "expired" | "notSent" | "unknown"
>;

/** The counts of a run that are segments of the bar, with their colours. `pending` is the empty rest of the bar. */
export const outcomes = [
  { name: "accepted", color: seriesColour("main") },
  { name: "gone", color: seriesColour("grey") },
  { name: "failed", color: seriesColour("red") },
  { name: "expired", color: seriesColour("yellow") },
  { name: "unknown", color: seriesColour("violet") },
  { name: "notSent", color: seriesColour("orange") },
] as const;

/** The progress and the outcomes of a run as a bar. */
export function OutcomeBar({ run, size = "md" }: { run: Counts; size?: string }) {
  const present = outcomes.filter(({ name }) => run[name] > 0);
  const texts = present.map(
    ({ name }) => `${words.components.outcomes[name].label.toLowerCase()} ${share(run[name], run.audience)}`,
  );
  return (
    <Progress.Root size={size} radius="xl" role="img" aria-label={texts.join(", ") || words.components.nothingSentYet}>
      {present.map(({ name, color }) => (
        <Progress.Section
          key={name}
          value={(100 * run[name]) / Math.max(1, run.audience)}
          color={color}
          withAria={false}
        />
      ))}
    </Progress.Root>
  );
}
