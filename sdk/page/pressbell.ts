import type { Call, Pressbell, Topics } from "./api.ts";
import { attempt, type PageContext } from "./context.ts";
import { ensureSubscription } from "./ensure-subscription.ts";
import { failureOf } from "./failure.ts";
import { showSoftPrompt } from "./soft-prompt.ts";
import { readState } from "./state.ts";
import { subscribe } from "./subscribe.ts";
import { unsubscribe } from "./unsubscribe.ts";
import { handleVisit } from "./visit.ts";

/** What the loader creates: the API of the page, and the context that our other scripts in the page need. */
export type Loaded = Pressbell & { context: PageContext };

/** Creates the API of a page (docs/sdk.md) and handles the visit at once. */
export function createPressbell(context: PageContext): Loaded {
  const visited = attempt(context, handleVisit(context));
  const state = () => readState(context);
  const topics = async () => {
    await visited;
    return (await attempt(context, readTopics(context))) ?? { all: [], chosen: [] };
  };
  const pressbell: Loaded = {
    context,
    on: context.on,
    state,
    topics,
    async subscribe(options) {
      await attempt(context, subscribe(context, options));
      return state();
    },
    async unsubscribe() {
      await attempt(context, unsubscribe(context));
      return state();
    },
    async setTopics(topicIds) {
      context.memory.write({ wanted: topicIds });
      if ((await state()) === "subscribed") {
        await attempt(
          context,
          context.inTurn(() => ensureSubscription(context, { topicIds })),
        );
      }
      const chosen = await topics();
      context.emit("topics", chosen);
      return chosen;
    },
    prompt: async () => (await attempt(context, showSoftPrompt(context))) ?? false,
    push: (...calls) => {
      for (const call of calls) run(context, pressbell, call);
    },
  };
  return pressbell;
}

async function readTopics({ settings, memory }: PageContext): Promise<Topics> {
  const { topics: all } = await settings();
  const { chosen = [], wanted = chosen } = memory.read();
  return { all, chosen: wanted };
}

/** Runs a queued call. A call that fails or does not exist does not stop the others. */
function run({ emit }: PageContext, pressbell: Pressbell, call: Call): void {
  const api = pressbell as unknown as Record<string, (...rest: unknown[]) => void>;
  try {
    if (typeof call === "function") call(pressbell);
    else api[call[0]]!(...call.slice(1));
  } catch (error) {
    emit("failed", failureOf(error));
  }
}
