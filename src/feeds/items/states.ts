/**
 * The states of an item of a feed, and what moves it out of each:
 *
 * seen     It was in the feed at the first poll, and is never sent. An end.
 * new      It came after the first poll. It is checked at once.
 * asked    It came with very many others, or its date is unknown; the feed's owner answers what becomes of it (`changeFeed`).
 * waiting  For a gate, its page, its date, or a limit that the feed waits for. It is checked again as long as it is fresh.
 * suggested  Its campaign waits as a draft for an editor. An end: what becomes of it, its campaign says.
 * sent     Its campaign was sent. An end.
 * skipped  It is not sent, and `reasons` say why. An end.
 *
 * The trigger `feed_item_moves` restates the table; a test compares every pair.
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

/** Returns the states from which an item may move to `to`, for the condition of an update. */
export function itemStatesBefore(to: ItemStatus): ItemStatus[] {
  const states = Object.keys(itemMoves) as ItemStatus[];
  return states.filter((from) => (itemMoves[from] as readonly string[]).includes(to));
}
