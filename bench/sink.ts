import type { Flags } from "./flags.ts";
import { hasNginx, startNginx } from "./nginx.ts";
import { startSimulators } from "./simulators.ts";

/** The push service of the benchmark: takes every message, reads its body, answers 201. In processes of its own. */
export type Sink = {
  /** As the report names it, with its version. */
  name: string;
  origins: string[];
  /** PEM of its certificate, to be trusted. */
  caFile: string;
  pids: number[];
  /** Messages received since its start. */
  received(): Promise<number>;
  /** Writes `count` subscriptions with distinct real keys to `file`, a line each, in turn at its origins. */
  writeSubscriptions(count: number, file: string): Promise<void>;
  stop(): Promise<void>;
};

/** nginx where it is installed with its echo module, as it costs least; else the simulator, which checks everything. */
export function startSink(flags: Flags, folder: string): Promise<Sink> {
  return !flags.simulator && hasNginx() ? startNginx(flags, folder) : startSimulators(flags, folder);
}
