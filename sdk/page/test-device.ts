import type { PageContext } from "./context.ts";
import { loadPart } from "./load-part.ts";
import { readState } from "./state.ts";
import { subscribe } from "./subscribe.ts";

/** Handles the link of a test device: asks the reader, subscribes with its token, and shows the result. */
export async function promptTestDevice(context: PageContext, testToken: string): Promise<void> {
  const settings = await context.settings();
  const state = await readState(context);
  const { showTestDevice } = await loadPart(context, "prompt");
  showTestDevice(settings, state, context.emit, () => subscribe(context, { testToken }));
}
