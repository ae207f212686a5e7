import type * as Prompt from "../prompt/main.ts";
import type { PageContext } from "./context.ts";
import { withReason } from "./failure.ts";

/** Loads what asks, which most visits do not need. As a module: its address may be no script under Trusted Types. */
export function loadPrompt({ snippet }: PageContext): Promise<typeof Prompt> {
  return withReason("prompt", import(`${snippet.base}/sdk/prompt.js`));
}
