import { cpuMsOf } from "./processes.ts";
import type { PushService } from "./push-service.ts";
import type { SenderProcess } from "./sender-processes.ts";

/** The measurement of one sender in one round. CPU in CPU-seconds per 1,000 messages. */
export type Measurement = { perSecond: number; clientCpu: number; databaseCpu: number; pushServiceCpu: number };

/**
 * Measures the senders alternately, `rounds` times each, so that other load on the machine affects all of them. The
 * first round is a warm-up and is not counted. Throws if the number of messages that the push service received is not
 * the number that a sender has sent.
 */
export async function measureSenders(
  senders: SenderProcess[],
  options: {
    rounds: number;
    pushService: PushService;
    databasePid: number;
    onMeasured: (sender: SenderProcess, measurement: Measurement) => void;
  },
): Promise<Map<SenderProcess, Measurement[]>> {
  const { rounds, pushService, databasePid, onMeasured } = options;
  const measured = new Map(senders.map((sender): [SenderProcess, Measurement[]] => [sender, []]));
  for (let no = 0; no <= rounds; no++) {
    for (const sender of senders) {
      const measurement = await measureOnce(sender, pushService, databasePid);
      if (no === 0) continue;
      measured.get(sender)!.push(measurement);
      onMeasured(sender, measurement);
    }
  }
  return measured;
}

async function measureOnce(sender: SenderProcess, pushService: PushService, databasePid: number): Promise<Measurement> {
  const receivedBefore = await pushService.received();
  const before = await cpuOf(sender, pushService, databasePid);
  const wallMs = await sender.sendAll();
  const after = await cpuOf(sender, pushService, databasePid);
  const received = (await pushService.received()) - receivedBefore;
  if (received !== sender.messages) {
    throw new Error(`${sender.name} sent ${sender.messages} messages and the push service received ${received}`);
  }
  // Milliseconds per message equal seconds per 1,000 messages.
  const [clientCpu, databaseCpu, pushServiceCpu] = after.map((ms, i) => (ms - before[i]!) / sender.messages);
  return {
    perSecond: (sender.messages / wallMs) * 1_000,
    clientCpu: clientCpu!,
    databaseCpu: sender.name === "service" ? databaseCpu! : 0,
    pushServiceCpu: pushServiceCpu!,
  };
}

/** Returns the CPU time so far of the sender, the database and the push service, ms. */
async function cpuOf(sender: SenderProcess, pushService: PushService, databasePid: number): Promise<number[]> {
  const pushServiceMs = (await Promise.all(pushService.pids.map(cpuMsOf))).reduce((sum, ms) => sum + ms, 0);
  return [await cpuMsOf(sender.pid), await cpuMsOf(databasePid), pushServiceMs];
}

/** Returns the median; NaN for an empty array. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}
