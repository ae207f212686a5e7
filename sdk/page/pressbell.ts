import { accept } from "./accept.ts";
import type { Call, Pressbell, Topics } from "./api.ts";
import { ask } from "./ask.ts";
import { failureOf } from "./failure.ts";
import { holdSubscription } from "./hold.ts";
import { leave } from "./leave.ts";
import { readState } from "./state.ts";
import { receiveVisit } from "./visit.ts";
import { attempt, type World } from "./world.ts";

/** The API of one page (docs/sdk.md). The visit is looked after at once. */
export function createPressbell(world: World): Pressbell {
  const visited = attempt(world, receiveVisit(world));
  const state = () => readState(world);
  const topics = async () => {
    await visited;
    return (await attempt(world, readTopics(world))) ?? { all: [], chosen: [] };
  };
  const pressbell: Pressbell = {
    on: world.on,
    state,
    topics,
    async subscribe(options) {
      await attempt(world, accept(world, options));
      return state();
    },
    async unsubscribe() {
      await attempt(world, leave(world));
      return state();
    },
    async setTopics(topicIds) {
      world.memory.write({ wanted: topicIds });
      if ((await state()) === "subscribed") await attempt(world, holdSubscription(world));
      return topics();
    },
    prompt: async () => (await attempt(world, ask(world))) ?? false,
    push: (...calls) => {
      for (const call of calls) run(world, pressbell, call);
    },
  };
  return pressbell;
}

async function readTopics({ settings, memory }: World): Promise<Topics> {
  const { topics: all } = await settings();
  const { chosen = [], wanted = chosen } = memory.read();
  return { all, chosen: wanted };
}

/** A call of the queue. One that fails, or does not exist, holds up no other. */
function run({ emit }: World, pressbell: Pressbell, call: Call): void {
  const api = pressbell as unknown as Record<string, (...rest: unknown[]) => void>;
  try {
    if (typeof call === "function") call(pressbell);
    else api[call[0]]!(...call.slice(1));
  } catch (error) {
    emit("failed", failureOf(error));
  }
}
