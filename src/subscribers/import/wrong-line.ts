import type { Message } from "../../messages.ts";

/** A wrong line of a file. `reason`: the English text of the fault with this `code` (faults.ts). */
export type WrongLine = { line: number; lastLine?: number; reason: string; code: string };

/** Returns what is wrong with the lines `line` to `lastLine`. */
export function faultOf({ line, lastLine, fault }: { line: number; lastLine: number; fault: Message }): WrongLine {
  return { line, ...(lastLine === line ? {} : { lastLine }), reason: fault.message, code: fault.code };
}
