import { Progress } from "@mantine/core";
import type { CampaignRow } from "../api/calls.ts";
import { share } from "./numbers.ts";

type Counts = Pick<
  NonNullable<CampaignRow["run"]>,
  "audience" | "pending" | "accepted" | "gone" | "failed" | "expired" | "notSent" | "unknown"
>;

/** What a run counts, in the words and colours of every page. `pending` is the empty rest of the bar. */
export const outcomes = [
  { name: "accepted", word: "Accepted", color: "petrol.6", says: "Taken by the push service" },
  { name: "gone", word: "Gone", color: "gray.5", says: "Readers who had left; they were removed" },
  { name: "failed", word: "Failed", color: "red.6", says: "Refused by the push service" },
  { name: "expired", word: "Expired", color: "yellow.6", says: "The time to live ended first" },
  { name: "unknown", word: "Unknown", color: "violet.5", says: "Perhaps taken: the connection broke" },
  { name: "notSent", word: "Not sent", color: "orange.5", says: "Stopped before they were sent" },
] as const;

/** How far a run is and how it went, in one line. */
export function OutcomeBar({ run, size = "md" }: { run: Counts; size?: string }) {
  const present = outcomes.filter(({ name }) => run[name] > 0);
  const words = present.map(({ name, word }) => `${word.toLowerCase()} ${share(run[name], run.audience)}`);
  return (
    <Progress.Root size={size} radius="xl" role="img" aria-label={words.join(", ") || "nothing sent yet"}>
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
