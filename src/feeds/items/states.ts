/**
 * The states of an item of a feed, with the states that each may move to. An end has none.
 *
 * seen     It was in the feed at the first poll, and is never sent. An end.
 * new      It came after the first poll. It is checked at once.
 * asked    It came with very many others, or its date is unknown. The feed's owner decides on it (`changeFeed`).
 * waiting  It waits for a gate, its page, its date or a limit, and is checked again as long as it is fresh.
 * suggested  Its campaign waits as a draft for an editor. An end: the campaign has its further state.
 * sent     Its campaign was sent. An end.
 * skipped  It is not sent, and `reasons` say why. An end.
 *
 * The trigger `feed_item_moves` restates the table, and a test compares every pair.
 */
export const itemMoves = {
  seen: [],
  new: ["waiting", "asked", "suggested", "sent", "skipped"],
  asked: ["new", "skipped"],
  waiting: ["asked", "suggested", "sent", "skipped"],
  suggested: [],
  sent: [],
  skipped: [],
} as const satisfies Record<string, readonly string[]>;

export type ItemStatus = keyof typeof itemMoves;

/** Returns the states from which an item may move to `to`. Used as the condition of an update. */
export function itemStatesBefore(to: ItemStatus): ItemStatus[] {
  const states = Object.keys(itemMoves) as ItemStatus[];
  return states.filter((from) => (itemMoves[from] as readonly string[]).includes(to));
}
