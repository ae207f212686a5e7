import { Progress } from "@mantine/core";
import type { CampaignRow } from "../api/calls.ts";
import { share } from "./numbers.ts";

type Counts = Pick<
  NonNullable<CampaignRow["run"]>,
  "audience" | "pending" | "accepted" | "gone" | "failed" | "expired" | "notSent" | "unknown"
>;

/** The labels and colours of a run's counts. `pending` is the empty rest of the bar. */
export const outcomes = [
  { name: "accepted", label: "Accepted", color: "petrol.6", explanation: "Taken by the push service" },
  { name: "gone", label: "Gone", color: "gray.5", explanation: "Readers who had left; they were removed" },
  { name: "failed", label: "Failed", color: "red.6", explanation: "Refused by the push service" },
  { name: "expired", label: "Expired", color: "yellow.6", explanation: "The time to live ended first" },
  { name: "unknown", label: "Unknown", color: "violet.5", explanation: "Perhaps taken: the connection broke" },
  { name: "notSent", label: "Not sent", color: "orange.5", explanation: "Stopped before they were sent" },
] as const;

/** The progress and the outcomes of a run as a bar. */
export function OutcomeBar({ run, size = "md" }: { run: Counts; size?: string }) {
  const present = outcomes.filter(({ name }) => run[name] > 0);
  const texts = present.map(({ name, label }) => `${label.toLowerCase()} ${share(run[name], run.audience)}`);
  return (
    <Progress.Root size={size} radius="xl" role="img" aria-label={texts.join(", ") || "nothing sent yet"}>
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
