import type { Call } from "./history.ts";

/** An operation on a campaign, or on its site (pause, resume). `key`: the Idempotency-Key of a send. */
export type Operation = {
  kind: "send" | "schedule" | "cancel" | "change" | "pause" | "resume";
  key: string | undefined;
};

type Seen = { operation: Operation; call: Pick<Call, "at" | "endedAt" | "status" | "body"> };
type State = {
  status: "draft" | "scheduled" | "cancelled" | "started";
  key: string | undefined;
  isPaused: boolean;
};

const initialState: State = { status: "draft", key: undefined, isPaused: false };

/**
 * Returns whether concurrent calls on a new campaign are linearizable: whether some sequential order explains every
 * answer and the final status. In this order, a call that was answered before another one began must come first.
 */
export function explains(seen: Seen[], last: string, state: State = initialState): boolean {
  if (seen.length === 0) return statusShown(state.status).includes(last);
  return seen.some((next) => {
    const others = seen.filter((other) => other !== next);
    if (others.some((other) => other.call.endedAt < next.call.at)) return false;
    const after = step(state, next);
    return after !== undefined && explains(others, last, after);
  });
}

/** Returns the state after one call, or undefined when its answer is wrong in `state`. */
function step(state: State, { operation, call }: Seen): State | undefined {
  if (operation.kind === "pause" || operation.kind === "resume")
    return { ...state, isPaused: operation.kind === "pause" };
  const isOpen = state.status === "draft" || state.status === "scheduled";
  const isReplay = operation.kind === "send" && operation.key !== undefined && state.key === operation.key;
  if (isReplay && state.status === "started")
    return call.status === 202 && call.body.duplicate === true ? state : undefined;
  if (operation.kind === "send" && state.isPaused) return call.status === 423 ? state : undefined;
  if (!isOpen) return call.status === 409 ? state : undefined;
  if (operation.kind === "change") return call.status === (state.status === "draft" ? 200 : 409) ? state : undefined;
  if (operation.kind === "schedule") return call.status === 200 ? { ...state, status: "scheduled" } : undefined;
  if (operation.kind === "cancel") return call.status === 200 ? { ...state, status: "cancelled" } : undefined;
  const isFirst = call.status === 202 && call.body.duplicate === false;
  return isFirst ? { ...state, status: "started", key: operation.key } : undefined;
}

function statusShown(status: State["status"]): string[] {
  return status === "started" ? ["sending", "sent"] : [status];
}
