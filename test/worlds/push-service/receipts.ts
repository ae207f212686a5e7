export type Receipt = {
  /** -1 when the path named no subscription. */
  subscriptionIndex: number;
  /** Milliseconds since 1970, of a clock that is not set back. */
  at: number;
  /** 0 when nothing was answered. */
  status: number;
  /** Whether the reader would get it: answered 2xx, or taken and the answer lost. */
  accepted: boolean;
  /** Seconds; undefined when the header was missing or no number. */
  ttl: number | undefined;
  topic: string | undefined;
  urgency: string | undefined;
  bytes: number;
};

export type Stats = {
  /** Messages judged, in whatever way. */
  received: number;
  accepted: number;
  /** Requests the client gave up before their end. */
  aborted: number;
  distinctSubscriptionsAccepted: number;
  /** Acceptances beyond the first of one subscription for the same Topic. */
  repeated: number;
  /** By status answered, or by the name of the behaviour when there was no answer. */
  byStatus: Record<string, number>;
  firstAt: number | undefined;
  lastAt: number | undefined;
  /** Receipts not kept because the limit was reached (counted all the same). */
  receiptsDropped: number;
};

export type Receipts = {
  stats: Stats;
  /** @param outcome the key in byStatus */
  add(receipt: Receipt, outcome: string): void;
  all(): Generator<Receipt>;
};

const URGENCIES = [undefined, "very-low", "low", "normal", "high"];
const NO_TTL = 0xffff_ffff;

/**
 * Counters and, up to `limit`, a receipt for each message in 26 bytes.
 * Beyond a million different Topics or so, `repeated` knows the first million only.
 */
export function makeReceipts(limit: number): Receipts {
  const stats: Stats = {
    received: 0,
    accepted: 0,
    aborted: 0,
    distinctSubscriptionsAccepted: 0,
    repeated: 0,
    byStatus: {},
    firstAt: undefined,
    lastAt: undefined,
    receiptsDropped: 0,
  };
  const acceptances = makeAcceptances();
  const topics = makeTopics(1_000_000);
  let table = makeTable(Math.min(limit, 1024));
  let kept = 0;
  return {
    stats,
    add(receipt, outcome) {
      const topicId = topics.idOf(receipt.topic);
      stats.received++;
      stats.byStatus[outcome] = (stats.byStatus[outcome] ?? 0) + 1;
      stats.firstAt ??= receipt.at;
      stats.lastAt = receipt.at;
      if (receipt.accepted) {
        stats.accepted++;
        if (acceptances.isFirst(receipt.subscriptionIndex)) stats.distinctSubscriptionsAccepted++;
        if (acceptances.isRepeat(receipt.subscriptionIndex, topicId)) stats.repeated++;
      }
      if (kept >= limit) {
        stats.receiptsDropped++;
        return;
      }
      if (kept === table.at.length) table = grow(table, Math.min(limit, kept * 2));
      put(table, kept++, receipt, topicId);
    },
    *all() {
      for (let row = 0; row < kept; row++) yield take(table, row, topics.named);
    },
  };
}

type Table = ReturnType<typeof makeTable>;

function makeTable(rows: number) {
  return {
    subscriptionIndex: new Int32Array(rows),
    at: new Float64Array(rows),
    status: new Uint16Array(rows),
    flags: new Uint8Array(rows),
    ttl: new Uint32Array(rows),
    topicId: new Uint32Array(rows),
    bytes: new Uint16Array(rows),
  };
}

function grow(table: Table, rows: number): Table {
  const larger = makeTable(rows);
  for (const name of Object.keys(table) as (keyof Table)[]) larger[name].set(table[name]);
  return larger;
}

function put(table: Table, row: number, receipt: Receipt, topicId: number): void {
  table.subscriptionIndex[row] = receipt.subscriptionIndex;
  table.at[row] = receipt.at;
  table.status[row] = receipt.status;
  table.flags[row] = Math.max(0, URGENCIES.indexOf(receipt.urgency)) * 2 + Number(receipt.accepted);
  table.ttl[row] = receipt.ttl ?? NO_TTL;
  table.topicId[row] = topicId;
  table.bytes[row] = Math.min(receipt.bytes, 0xffff);
}

function take(table: Table, row: number, topics: (string | undefined)[]): Receipt {
  const flags = table.flags[row]!;
  return {
    subscriptionIndex: table.subscriptionIndex[row]!,
    at: table.at[row]!,
    status: table.status[row]!,
    accepted: (flags & 1) === 1,
    ttl: table.ttl[row] === NO_TTL ? undefined : table.ttl[row]!,
    topic: topics[table.topicId[row]!],
    urgency: URGENCIES[flags >> 1],
    bytes: table.bytes[row]!,
  };
}

/** Numbers for Topics; 0 for none and for those beyond `limit`. */
function makeTopics(limit: number): { idOf(topic: string | undefined): number; named: (string | undefined)[] } {
  const ids = new Map<string, number>();
  const named: (string | undefined)[] = [undefined];
  return {
    named,
    idOf(topic) {
      if (topic === undefined) return 0;
      const known = ids.get(topic);
      if (known !== undefined || named.length > limit) return known ?? 0;
      ids.set(topic, named.length);
      return named.push(topic) - 1;
    },
  };
}

/** Who accepted already: a bit for each subscription, a number for each pair of subscription and Topic. */
function makeAcceptances() {
  let accepted = new Uint8Array(1024);
  const pairs = new Set<number>();
  return {
    isFirst(index: number): boolean {
      const byte = index >> 3;
      if (byte >= accepted.length) {
        const larger = new Uint8Array(byte * 2);
        larger.set(accepted);
        accepted = larger;
      }
      const first = (accepted[byte]! & (1 << (index & 7))) === 0;
      accepted[byte] = accepted[byte]! | (1 << (index & 7));
      return first;
    },
    isRepeat(index: number, topicId: number): boolean {
      if (topicId === 0) return false;
      const before = pairs.size;
      pairs.add(index * 2 ** 20 + topicId);
      return pairs.size === before;
    },
  };
}
