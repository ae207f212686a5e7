import { useConfirmAbove } from "../compose/use-second-person.ts";
import { useCurrentSite } from "../layout/session.tsx";

/**
 * Returns whether the user may turn a feed's override on, and change a feed that has it. If large sends need a second
 * person, only an owner may. False while this is loading. The service checks it again.
 */
export function useMayForce(): boolean {
  const { isOwner } = useCurrentSite();
  const confirmAbove = useConfirmAbove();
  return isOwner || confirmAbove === null;
}
