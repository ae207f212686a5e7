import { setTimeout as delay } from "node:timers/promises";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { RunView } from "../runs/run.ts";
import { readRun } from "../runs/view-run.ts";

const lookEveryMs = 500;
/** Then the browser asks again by itself, and shows who it is again: who was removed meanwhile is not told more. */
const endAfterMs = 60_000;

/**
 * A run as it goes on, as server-sent events: its first state, then each change, and `end` when it is finished. Throws
 * `not_found` before anything is sent.
 */
export async function followRun(app: App, actor: Actor, input: { runId: string }): Promise<AsyncGenerator<string>> {
  const first = await readRun(app, actor, input);
  return events(app, actor, first);
}

async function* events(app: App, actor: Actor, first: RunView): AsyncGenerator<string> {
  const { runId } = first;
  const endMs = performance.now() + endAfterMs;
  let shown = "";
  for (let run = first; ; run = await readRun(app, actor, { runId })) {
    const text = JSON.stringify(run);
    // A comment where nothing changes: no proxy takes the line for dead, and whoever ends the stream is heard at once.
    yield text === shown ? ":\n\n" : `event: run\ndata: ${text}\n\n`;
    shown = text;
    if (run.finishedAt !== null) {
      yield "event: end\ndata: {}\n\n";
      return;
    }
    if (performance.now() > endMs) return;
    await delay(lookEveryMs);
  }
}
