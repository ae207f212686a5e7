import type { CallOptions } from "./campaigns.ts";
import { listAll, type PageOptions } from "./pages.ts";
import { pause } from "./pause.ts";
import { request, type Transport } from "./request.ts";
import type { Page, ReportedRun, Run, RunFilter } from "./types.ts";

/** `onProgress` is called with each reading of the run, also the last. */
export type WaitOptions = CallOptions & { onProgress?: (run: Run) => void };

export type RunCalls = {
  /** All runs with their figures, newest first, without tests; reads further pages as they are needed. */
  list(filter?: RunFilter & PageOptions): AsyncGenerator<ReportedRun, void, undefined>;
  /** One page of them. */
  listPage(filter?: RunFilter & PageOptions & { cursor?: string | undefined }): Promise<Page<ReportedRun>>;
  read(runId: string, options?: CallOptions): Promise<Run>;
  /** Stops a live run. Stopping twice gives the same answer, so it is repeated after a lost one. */
  stop(runId: string, options?: CallOptions): Promise<Run>;
  /**
   * Reads a run until it has ended (completed, stopped or failed), and returns it: after 0.25 s, then less and less
   * often, to every 5 s. While its site is paused a run does not go on; `signal` limits the wait.
   */
  waitForRun(runId: string, options?: WaitOptions): Promise<Run>;
};

const firstPollMs = 250;
const maxPollMs = 5_000;

export function createRunCalls(transport: Transport, tenantId: string): RunCalls {
  const one = (runId: string) => `/v1/runs/${encodeURIComponent(runId)}`;
  const read: RunCalls["read"] = (runId, { signal } = {}) =>
    request(transport, { method: "GET", path: one(runId), repeatable: true, signal });
  const listPage: RunCalls["listPage"] = ({ signal, ...query } = {}) =>
    request(transport, {
      method: "GET",
      path: `/v1/tenants/${encodeURIComponent(tenantId)}/runs`,
      query,
      repeatable: true,
      signal,
    });
  return {
    read,
    listPage,
    list: (filter = {}) => listAll((cursor) => listPage({ ...filter, cursor })),
    stop: (runId, { signal } = {}) =>
      request(transport, { method: "POST", path: `${one(runId)}/stop`, repeatable: true, signal }),
    async waitForRun(runId, { signal, onProgress } = {}) {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(maxPollMs, pollMs * 1.5)) {
        const run = await read(runId, { signal });
        onProgress?.(run);
        if (run.finishedAt !== null) return run;
        await pause(pollMs, signal);
      }
    },
  };
}
