import { askFollows, type FollowChange } from "../page/follows.ts";
import type { Loaded } from "../page/pressbell.ts";
import { createTurns } from "../page/turns.ts";

/** What a click on an element can ask for. The promises never reject. */
export type Actions = {
  /** Subscribes, with these topics beside those that the reader has chosen. */
  subscribe(topicIds: string[]): Promise<unknown>;
  unsubscribe(): Promise<unknown>;
  /** Adds a topic to the choice of a subscribed reader, or takes it out. */
  setTopic(topicId: string, isChosen: boolean): Promise<unknown>;
  /** Changes which stories a subscribed reader follows. Resolves to whether it has worked. */
  setStory(change: FollowChange): Promise<boolean>;
};

export function createActions(pressbell: Loaded): Actions {
  const inTurn = createTurns();
  return {
    subscribe(topicIds) {
      if (topicIds.length === 0) return pressbell.subscribe();
      // Nothing is awaited: browsers ask only during a click.
      const { memory } = pressbell.context;
      const { chosen = [], wanted = chosen } = memory.read();
      const all = [...new Set([...wanted, ...topicIds])];
      // Stored before the browser asks: the reader may answer its question when this page is gone.
      memory.write({ wanted: all });
      return pressbell.subscribe({ topicIds: all });
    },
    unsubscribe: () => pressbell.unsubscribe(),
    setStory: (change) =>
      askFollows(pressbell.context.snippet, change).then(
        () => true,
        () => false,
      ),
    // Each begins with the choice that the last one has left.
    setTopic: (topicId, isChosen) =>
      inTurn(async () => {
        const others = (await pressbell.topics()).chosen.filter((chosen) => chosen !== topicId);
        await pressbell.setTopics(isChosen ? [...others, topicId] : others);
      }),
  };
}
