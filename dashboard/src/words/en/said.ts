import type { Param } from "../../../../src/messages.ts";

/** `format`: returns a message of the service in the language of the page. English needs none. */
export const said: {
  format?: (code: string, params: Record<string, Exclude<Param, object>>) => string | undefined;
} = {};
