import type { PageContext } from "./context.ts";
import { loadPart } from "./load-part.ts";
import { readState } from "./state.ts";
import { subscribe } from "./subscribe.ts";

/** Handles the link of a test device: asks the reader, subscribes with its token, and shows the result. */
export async function promptTestDevice(context: PageContext, testToken: string): Promise<void> {
  const { promptTestDevice } = await loadPart(context, "test-device");
  await promptTestDevice(context, await readState(context), () => subscribe(context, { testToken }));
}
