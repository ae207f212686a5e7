import { Badge } from "@mantine/core";
import type { CampaignStatus, SendableStatus } from "../api/calls.ts";

const looks: Record<CampaignStatus, { color: string; word: string }> = {
  draft: { color: "gray", word: "Draft" },
  scheduled: { color: "indigo", word: "Scheduled" },
  sending: { color: "petrol", word: "Sending" },
  sent: { color: "green", word: "Sent" },
  stopped: { color: "orange", word: "Stopped" },
  cancelled: { color: "gray", word: "Cancelled" },
  failed: { color: "red", word: "Failed" },
};

export const statusWords = Object.fromEntries(Object.entries(looks).map(([name, { word }]) => [name, word]));

/** The service's own type: a status that is added to it or taken from it does not compile here. */
const sendableStates: Record<SendableStatus, true> = { draft: true, scheduled: true };

/** Whether a campaign of this status can be sent, scheduled and cancelled. */
export function isSendable(status: CampaignStatus): boolean {
  return Object.hasOwn(sendableStates, status);
}

export function StatusBadge({ status }: { status: CampaignStatus }) {
  const { color, word } = looks[status];
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" fw={600} c={`var(--status-${color})`}>
      {word}
    </Badge>
  );
}
