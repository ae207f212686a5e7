import { askFollows, type FollowChange } from "../page/follows.ts";
import type { Loaded } from "../page/pressbell.ts";
import { createTurns } from "../page/turns.ts";

/** The actions that a click on an element can ask for. The promises never reject. */
export type Actions = {
  /** Subscribes the reader with these topics, and with the topics that the reader has already chosen. */
  subscribe(topicIds: string[]): Promise<unknown>;
  unsubscribe(): Promise<unknown>;
  /** Adds a topic to the choice of a subscribed reader, or removes it. */
  setTopic(topicId: string, isChosen: boolean): Promise<unknown>;
  /** Changes which stories a subscribed reader follows. Resolves to whether it worked. */
  setStory(change: FollowChange): Promise<boolean>;
};

export function createActions(pressbell: Loaded): Actions {
  const inTurn = createTurns();
  return {
    subscribe(topicIds) {
      if (topicIds.length === 0) return pressbell.subscribe();
      // Nothing is awaited, because browsers ask for the permission only during a click.
      const { memory } = pressbell.context;
      const { chosen = [], wanted = chosen } = memory.read();
      const all = [...new Set([...wanted, ...topicIds])];
      // The choice is stored before the browser asks, because the reader may answer after this page is gone.
      memory.write({ wanted: all });
      return pressbell.subscribe({ topicIds: all });
    },
    unsubscribe: () => pressbell.unsubscribe(),
    setStory: (change) =>
      askFollows(pressbell.context.snippet, change).then(
        () => true,
        () => false,
      ),
    // Changes run in turn, so that each begins with the choice that the last one has left.
    setTopic: (topicId, isChosen) =>
      inTurn(async () => {
        const others = (await pressbell.topics()).chosen.filter((chosen) => chosen !== topicId);
        await pressbell.setTopics(isChosen ? [...others, topicId] : others);
      }),
  };
}
