import { Readable } from "node:stream";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { RunView } from "../runs/run.ts";
import type { RunFollower, RunLooks } from "./run-looks.ts";

/** Then the browser asks again by itself, and shows who it is again: who was removed meanwhile is not told more. */
const endAfterMs = 60_000;

/**
 * A run as it goes on, as a stream of server-sent events: its first state, then each change, and `end` when it is
 * finished. Throws `not_found` before anything is sent.
 */
export async function followRun(
  app: App,
  actor: Actor,
  { runId, looks }: { runId: string; looks: RunLooks },
): Promise<Readable> {
  const follower = looks.follow(app, actor, runId);
  try {
    const stream = Readable.from(events(follower, await follower.now()));
    return stream.once("close", follower.leave);
  } catch (error) {
    follower.leave();
    throw error;
  }
}

async function* events(follower: RunFollower, first: RunView): AsyncGenerator<string> {
  const endMs = performance.now() + endAfterMs;
  let shown = "";
  for (let run = first; ; run = await follower.next()) {
    const text = JSON.stringify(run);
    // A comment where nothing changes: no proxy takes the line for dead, and whoever ends the stream is heard at once.
    yield text === shown ? ":\n\n" : `event: run\ndata: ${text}\n\n`;
    shown = text;
    if (run.finishedAt !== null) {
      yield "event: end\ndata: {}\n\n";
      return;
    }
    if (performance.now() > endMs) return;
  }
}
