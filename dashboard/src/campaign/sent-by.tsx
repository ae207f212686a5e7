import type { SendFacts } from "../api/calls.ts";
import { whoDid } from "../components/who.ts";

/** Who sent a campaign; of one that the scheduler sent, who gave it its time. */
export function SentBy({ facts: { sentBy, scheduledBy } }: { facts: SendFacts }) {
  if (sentBy === null) return null;
  if (sentBy.kind !== "schedule") {
    return (
      <>
        Sent by <bdi>{whoDid(sentBy, "within")}</bdi>
      </>
    );
  }
  if (scheduledBy === null) return "Sent by its schedule";
  return (
    <>
      Sent at its time, set by <bdi>{whoDid(scheduledBy, "within")}</bdi>
    </>
  );
}
