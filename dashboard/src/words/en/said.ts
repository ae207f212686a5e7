import type { Param } from "../../../../src/messages.ts";

/**
 * What translates the service's sentences. `patterns`: by their English text. `format`: by their code. English needs
 * neither.
 */
export const said: {
  patterns: readonly { pattern: RegExp; translation: string }[];
  format?: (code: string, params: Record<string, Exclude<Param, object>>) => string | undefined;
} = { patterns: [] };
