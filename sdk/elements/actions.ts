import type { Loaded } from "../page/pressbell.ts";

/** What a click on an element can ask for. The promises never reject. */
export type Actions = {
  /** Subscribes, with these topics beside those that the reader has chosen. */
  subscribe(topicIds: string[]): Promise<unknown>;
  unsubscribe(): Promise<unknown>;
  /** Adds a topic to the choice of a subscribed reader, or takes it out. */
  setTopic(topicId: string, isChosen: boolean): Promise<unknown>;
};

export function createActions(pressbell: Loaded): Actions {
  let changes: Promise<unknown> = Promise.resolve();
  return {
    subscribe(topicIds) {
      if (topicIds.length === 0) return pressbell.subscribe();
      // Nothing is awaited: browsers ask only during a click.
      const { chosen = [], wanted = chosen } = pressbell.context.memory.read();
      const all = [...new Set([...wanted, ...topicIds])];
      // Stored, because the reader may answer the browser's question when this page is gone.
      pressbell.setTopics(all);
      return pressbell.subscribe({ topicIds: all });
    },
    unsubscribe: () => pressbell.unsubscribe(),
    setTopic(topicId, isChosen) {
      // One after the other: each begins with the choice that the last one has left.
      changes = changes.then(async () => {
        const others = (await pressbell.topics()).chosen.filter((chosen) => chosen !== topicId);
        await pressbell.setTopics(isChosen ? [...others, topicId] : others);
      });
      return changes;
    },
  };
}
