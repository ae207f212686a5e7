import { useEffect, useRef, useState } from "react";
import { toApiError } from "../api/client.ts";
import { type ImportedPart, importPart } from "../api/subscriber-calls.ts";
import { usePlace } from "../frame/session.tsx";
import { type FilePart, partsOf } from "./file-parts.ts";

/** What a browser tab should hold of faults; the count says how many there are. */
const keptFaults = 20_000;
const tryAgainAfterMs = 5_000;
/** Over a minute: then a limit of requests has passed. */
const triesAtMost = 15;

export type ImportState = {
  status: "running" | "done" | "stopped" | "failed";
  sentBytes: number;
  report: ImportedPart["report"];
  faults: ImportedPart["faults"];
  error: unknown;
};

const fresh: ImportState = {
  status: "running",
  sentBytes: 0,
  report: { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 },
  faults: [],
  error: null,
};

/** Sends a file of subscriptions part by part, until it is through, fails, is stopped, or its page is left. */
export function useImport(onEnd: () => unknown) {
  const { tenantId, siteId } = usePlace();
  const [state, setState] = useState<ImportState | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);

  async function start(file: File): Promise<void> {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    let now = fresh;
    const show = (change: Partial<ImportState>) => {
      now = { ...now, ...change };
      setState(now);
    };
    show({});
    try {
      for await (const part of partsOf(file)) {
        const imported = await sendPart(
          part,
          (bytes) => importPart(tenantId, siteId, { ...part, bytes, signal }),
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

/** Sending a part again changes nothing, so what only got lost or came too fast is sent again. */
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
      const isPassing = status === 0 || status === 408 || status === 429 || status >= 500;
      if (signal.aborted || !isPassing || tries === triesAtMost) throw error;
      await new Promise((resolve) => setTimeout(resolve, tryAgainAfterMs));
    }
  }
}

/** Lines are numbered within their part; in the file they come after those of the parts before. */
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
    faults: [...before.faults, ...numbered].slice(0, keptFaults),
  };
}
