import type { SendFacts } from "../api/calls.ts";
import { whoDid } from "../components/who.ts";
import { words } from "../words/words.ts";

/** Who sent a campaign; of one that the scheduler sent, who gave it its time. */
export function SentBy({ facts: { sentBy, scheduledBy } }: { facts: SendFacts }) {
  if (sentBy === null) return null;
  const nameOf = (by: NonNullable<SendFacts["sentBy"]>) => <bdi>{whoDid(by, "within")}</bdi>;
  if (sentBy.kind !== "schedule") return words.campaign.sentBy({ who: nameOf(sentBy) });
  if (scheduledBy === null) return words.campaign.sentByItsSchedule;
  return words.campaign.sentAtItsTime({ who: nameOf(scheduledBy) });
}
