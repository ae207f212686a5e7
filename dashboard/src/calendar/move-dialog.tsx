import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { campaign } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { ScheduleDialog } from "../compose/dialogs.tsx";
import { useCurrentSite } from "../layout/session.tsx";

/** A planned notification that was dropped on a day (YYYY-MM-DD). */
export type Move = { campaignId: string; day: string };

/** Asks for the time of a notification on the day to which it was dragged. */
export function MoveDialog({ move, onClose }: { move: Move | null; onClose: () => void }) {
  const { tenantId } = useCurrentSite();
  const { data, mutate, reset } = useMutation({
    mutationFn: ({ campaignId }: Move) => campaign(tenantId, campaignId),
    onError(error) {
      notifications.show({ color: "red", message: toApiError(error).message });
      onClose();
    },
  });
  useEffect(() => {
    if (move === null) reset();
    else mutate(move);
  }, [move, mutate, reset]);
  // Its code is loaded when something is dropped for the first time.
  const [hasMoved, setHasMoved] = useState(false);
  if (move !== null && !hasMoved) setHasMoved(true);
  if (!hasMoved) return null;
  return <ScheduleDialog campaign={(move && data) ?? null} day={move?.day} staysHere onClose={onClose} />;
}
