import type { showPrompt } from "../prompt/main.ts";
import type { PageContext } from "./context.ts";
import { withReason } from "./failure.ts";

/** Loads the prompt, which most visits do not need. As a module: its address may be no script under Trusted Types. */
export async function loadPrompt({ snippet }: PageContext): Promise<typeof showPrompt> {
  return (await withReason("prompt", import(`${snippet.base}/sdk/prompt.js`))).showPrompt;
}
