import { cpuMsOf } from "./processes.ts";
import type { Side } from "./sides.ts";
import type { Sink } from "./sink.ts";

/** What one side's sending of all its messages took. CPU is in CPU-seconds per 1,000 messages. */
export type Round = { perSecond: number; clientCpu: number; databaseCpu: number; sinkCpu: number };

/**
 * Has each side send in turn, round after round, so that whatever else the machine does falls on all of them. The first
 * round warms up and does not count. Throws when the sink did not receive what a side says it sent.
 */
export async function playRounds(
  sides: Side[],
  options: { rounds: number; sink: Sink; databasePid: number; onRound: (side: Side, round: Round) => void },
): Promise<Map<Side, Round[]>> {
  const { rounds, sink, databasePid, onRound } = options;
  const played = new Map(sides.map((side): [Side, Round[]] => [side, []]));
  for (let no = 0; no <= rounds; no++) {
    for (const side of sides) {
      const round = await playOne(side, sink, databasePid);
      if (no === 0) continue;
      played.get(side)!.push(round);
      onRound(side, round);
    }
  }
  return played;
}

async function playOne(side: Side, sink: Sink, databasePid: number): Promise<Round> {
  const receivedBefore = await sink.received();
  const before = await cpuOf(side, sink, databasePid);
  const wallMs = await side.sendAll();
  const after = await cpuOf(side, sink, databasePid);
  const received = (await sink.received()) - receivedBefore;
  if (received !== side.messages) {
    throw new Error(`${side.name} sent ${side.messages} messages and the push service received ${received}`);
  }
  // ms per message are seconds per 1,000.
  const [clientCpu, databaseCpu, sinkCpu] = after.map((ms, i) => (ms - before[i]!) / side.messages);
  return {
    perSecond: (side.messages / wallMs) * 1_000,
    clientCpu: clientCpu!,
    databaseCpu: side.name === "service" ? databaseCpu! : 0,
    sinkCpu: sinkCpu!,
  };
}

/** Of the side's process, the database and the sink, ms. */
async function cpuOf(side: Side, sink: Sink, databasePid: number): Promise<number[]> {
  const sinkMs = (await Promise.all(sink.pids.map(cpuMsOf))).reduce((sum, ms) => sum + ms, 0);
  return [await cpuMsOf(side.pid), await cpuMsOf(databasePid), sinkMs];
}

/** The middle one, or the mean of the two in the middle. NaN of nothing. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}
