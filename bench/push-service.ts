/** The push service of the benchmark, in its own processes. Reads the body of every message and answers 201. */
export type PushService = {
  /** Its name and version for the report. */
  name: string;
  origins: string[];
  /** PEM file of its certificate, which the senders trust. */
  caFile: string;
  pids: number[];
  /** Returns the number of messages received since its start. */
  received(): Promise<number>;
  /** Writes `count` subscriptions to `file`, one per line, with distinct real keys, spread over the origins. */
  writeSubscriptions(count: number, file: string): Promise<void>;
  stop(): Promise<void>;
};
