import { removeTestToken } from "./arrival.ts";
import type { PageContext } from "./context.ts";
import { failureOf } from "./failure.ts";
import { loadPrompt } from "./load-prompt.ts";
import { readState } from "./state.ts";
import { subscribe } from "./subscribe.ts";

/** Handles the link of a test device: asks the reader, subscribes with its token, and shows the result. */
export async function promptTestDevice(context: PageContext, testToken: string): Promise<void> {
  const settings = await context.settings();
  const state = await readState(context);
  const { showTestDevice } = await loadPrompt(context);
  // The token stays in the address: adding the site to the home screen stores the address.
  if (state !== "install") removeTestToken();
  showTestDevice(settings, state, () =>
    subscribe(context, { testToken }).catch((error) => {
      const failure = failureOf(error);
      context.emit("failed", failure);
      return failure;
    }),
  );
}
