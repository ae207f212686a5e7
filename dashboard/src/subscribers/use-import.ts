import { useEffect, useRef, useState } from "react";
import { toApiError } from "../api/client.ts";
import { type FileLayout, type ImportedPart, importPart } from "../api/subscriber-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { type FilePart, linesOf, partsOf } from "./file-parts.ts";
import { addWrongLines, noWrongLines, type WrongLines } from "./wrong-lines.ts";

const retryAfterMs = 5_000;
/** Together the tries take more than a minute, after which a rate limit has reset. */
const maxTries = 15;

export type ImportState = {
  status: "running" | "done" | "stopped" | "failed";
  sentBytes: number;
  report: ImportedPart["report"];
  wrongLines: WrongLines;
  error: unknown;
};

const initialState: ImportState = {
  status: "running",
  sentBytes: 0,
  report: { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 },
  wrongLines: noWrongLines,
  error: null,
};

/** Imports a file of subscriptions part by part, until it is done, fails, is stopped, or the user leaves the page. */
export function useImport(onEnd: () => unknown) {
  const { tenantId, siteId } = useCurrentSite();
  const [state, setState] = useState<ImportState | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);

  async function start(file: File, layout: FileLayout, bringBack: boolean): Promise<void> {
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
    let lineOffset = 0;
    try {
      for await (const part of partsOf(file, layout.format)) {
        number++;
        const numbered = { ...part, importId, part: number, layout, bringBack };
        const imported = await sendPart(
          part,
          (bytes) => importPart(tenantId, siteId, { ...numbered, bytes, signal }),
          signal,
        );
        const lines = { bytes: part.bytes, lineOffset, format: layout.format };
        show({
          sentBytes: part.end,
          report: addReport(now.report, imported.report),
          wrongLines: addWrongLines(now.wrongLines, imported, lines),
        });
        lineOffset += linesOf(part.bytes, layout.format).length - 1;
      }
      show({ status: "done" });
    } catch (error) {
      show(signal.aborted ? { status: "stopped" } : { status: "failed", error });
    }
    onEnd();
  }
  return { state, start, stop: () => stopper.current?.abort(), clear: () => setState(null) };
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

function addReport(before: ImportState["report"], { lines, added, changed, unchanged, wrong }: ImportState["report"]) {
  return {
    lines: before.lines + lines,
    added: before.added + added,
    changed: before.changed + changed,
    unchanged: before.unchanged + unchanged,
    wrong: before.wrong + wrong,
  };
}
