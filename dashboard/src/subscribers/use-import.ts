import { useEffect, useRef, useState } from "react";
import { toApiError } from "../api/client.ts";
import { type ImportedPart, importPart } from "../api/subscriber-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { type FilePart, partsOf } from "./file-parts.ts";

/** The most faults that are kept in memory; `report.wrong` counts all. */
const maxKeptFaults = 20_000;
const retryAfterMs = 5_000;
/** More than a minute in all, after which a rate limit has reset. */
const maxTries = 15;

export type ImportState = {
  status: "running" | "done" | "stopped" | "failed";
  sentBytes: number;
  report: ImportedPart["report"];
  faults: ImportedPart["faults"];
  error: unknown;
};

const initialState: ImportState = {
  status: "running",
  sentBytes: 0,
  report: { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 },
  faults: [],
  error: null,
};

/** Imports a file of subscriptions part by part, until it is done, fails, is stopped, or the user leaves the page. */
export function useImport(onEnd: () => unknown) {
  const { tenantId, siteId } = useCurrentSite();
  const [state, setState] = useState<ImportState | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);

  async function start(file: File): Promise<void> {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    let now = initialState;
    const show = (change: Partial<ImportState>) => {
      now = { ...now, ...change };
      setState(now);
    };
    show({});
    const importId = crypto.randomUUID();
    let number = 0;
    try {
      for await (const part of partsOf(file)) {
        number++;
        const numbered = { ...part, importId, part: number };
        const imported = await sendPart(
          part,
          (bytes) => importPart(tenantId, siteId, { ...numbered, bytes, signal }),
          signal,
        );
        show(addPart(now, part, imported));
      }
      show({ status: "done" });
    } catch (error) {
      show(signal.aborted ? { status: "stopped" } : { status: "failed", error });
    }
    onEnd();
  }
  return { state, start, stop: () => stopper.current?.abort() };
}

/**
 * Sends a part. Retries after a lost answer, a rate limit or a server error, because sending a part again changes
 * nothing.
 */
async function sendPart(
  { bytes }: FilePart,
  send: (bytes: FilePart["bytes"]) => Promise<ImportedPart>,
  signal: AbortSignal,
): Promise<ImportedPart> {
  for (let tries = 1; ; tries++) {
    try {
      return await send(bytes);
    } catch (error) {
      const { status } = toApiError(error);
      const isTemporary = status === 0 || status === 408 || status === 429 || status >= 500;
      if (signal.aborted || !isTemporary || tries === maxTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
  }
}

/** Adds the result of a part. Its faults number lines within the part; the lines of earlier parts are added. */
function addPart(before: ImportState, part: FilePart, { report, faults }: ImportedPart): Partial<ImportState> {
  const { lines, added, changed, unchanged, wrong } = before.report;
  const numbered = faults.map(({ line, reason }) => ({ line: line + lines, reason }));
  return {
    sentBytes: part.end,
    report: {
      lines: lines + report.lines,
      added: added + report.added,
      changed: changed + report.changed,
      unchanged: unchanged + report.unchanged,
      wrong: wrong + report.wrong,
    },
    faults: [...before.faults, ...numbered].slice(0, maxKeptFaults),
  };
}
