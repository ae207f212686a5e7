import type { SendFacts } from "../api/calls.ts";
import { whoDid } from "../components/who.ts";
import { words } from "../words/words.ts";

/** The person who sent a campaign. If the scheduler sent it, the person who scheduled it. */
export function SentBy({ facts: { sentBy, scheduledBy } }: { facts: SendFacts }) {
  if (sentBy === null) return null;
  const nameOf = (by: NonNullable<SendFacts["sentBy"]>) => <bdi>{whoDid(by, "within")}</bdi>;
  if (sentBy.kind !== "schedule") return words.campaign.sentBy({ who: nameOf(sentBy) });
  if (scheduledBy === null) return words.campaign.sentByItsSchedule;
  return words.campaign.sentAtItsTime({ who: nameOf(scheduledBy) });
}
