/** A broken guarantee. `kind` names the guarantee. */
export type Violation = {
  kind:
    | "unfinished"
    | "lost"
    | "twice in a run"
    | "reached but ended otherwise"
    | "outcome without cause"
    | "gone but subscribed"
    | "repeat not counted"
    | "repeat not explained"
    | "too many repeats"
    | "counts"
    | "second live run"
    | "foreign receipt"
    | "sent after stop"
    | "sent while paused"
    | "5xx"
    | "no answer"
    | "unexpected end";
  text: string;
};
