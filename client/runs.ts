import type { CallOptions } from "./campaigns.ts";
import { listAll, type PageOptions } from "./pages.ts";
import { pause } from "./pause.ts";
import { request, type Transport } from "./request.ts";
import type { Page, ReportedRun, Run, RunFilter } from "./types.ts";

/** `onProgress` is called each time the run is read, also the last time. */
export type WaitOptions = CallOptions & { onProgress?: (run: Run) => void };

export type RunCalls = {
  /** Yields all runs except tests, with their figures, newest first. Reads further pages when they are needed. */
  list(filter?: RunFilter & PageOptions): AsyncGenerator<ReportedRun, void, undefined>;
  /** Returns one page of runs. */
  listPage(filter?: RunFilter & PageOptions & { cursor?: string | undefined }): Promise<Page<ReportedRun>>;
  read(runId: string, options?: CallOptions): Promise<Run>;
  /** Stops a live run. Repeated after a lost answer, because stopping twice gives the same answer. */
  stop(runId: string, options?: CallOptions): Promise<Run>;
  /**
   * Reads a run until it has ended (completed, stopped or failed), and returns it. The first wait is 0.25 s, and the
   * waits grow to 5 s. A run does not go on while its site is paused, so use `signal` to limit the wait.
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
