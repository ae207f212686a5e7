import { Readable } from "node:stream";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { RunView } from "../runs/view-run.ts";
import type { RunFollower, RunSnapshots } from "./run-snapshots.ts";

/**
 * How long a stream lasts. The browser then reconnects with its cookie, so a member who was removed gets no more
 * events.
 */
const endAfterMs = 60_000;

/**
 * Returns the progress of a run as a stream of server-sent events: `run` with its first state and with each change,
 * and `end` when it has finished. Throws `not_found` before anything is sent.
 */
export async function followRun(
  app: App,
  actor: Actor,
  { runId, snapshots }: { runId: string; snapshots: RunSnapshots },
): Promise<Readable> {
  const follower = snapshots.follow(app, actor, runId);
  try {
    const stream = Readable.from(events(follower, await follower.current()));
    return stream.once("close", follower.leave);
  } catch (error) {
    follower.leave();
    throw error;
  }
}

async function* events(follower: RunFollower, first: RunView): AsyncGenerator<string> {
  const endMs = performance.now() + endAfterMs;
  let sent = "";
  for (let run = first; ; run = await follower.next()) {
    const text = JSON.stringify(run);
    // Without a change, an empty comment is sent. Proxies then keep the connection open, and a closed one is noticed
    // at once.
    yield text === sent ? ":\n\n" : `event: run\ndata: ${text}\n\n`;
    sent = text;
    if (run.finishedAt !== null) {
      yield "event: end\ndata: {}\n\n";
      return;
    }
    if (performance.now() > endMs) return;
  }
}
