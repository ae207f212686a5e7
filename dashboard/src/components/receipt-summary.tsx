import { Text } from "@mantine/core";
import type { CampaignRow } from "../api/calls.ts";
import { count, share } from "./numbers.ts";

/** The receipts of a run in one line; nothing if no browser has reported. */
export function ReceiptSummary({ run }: { run: NonNullable<CampaignRow["run"]> }) {
  const { displayed, clicked, accepted } = run;
  if (displayed === 0 && clicked === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt={4} className="figures" data-effect>
      {count(clicked)} clicked ({share(clicked, accepted)}) · {count(displayed)} displayed
    </Text>
  );
}
