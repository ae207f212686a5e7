import { removeTestToken } from "./arrival.ts";
import type { PageContext } from "./context.ts";
import { failureOf } from "./failure.ts";
import { loadPrompt } from "./load-prompt.ts";
import { softPromptTexts } from "./soft-prompt.ts";
import { readState } from "./state.ts";
import { subscribe } from "./subscribe.ts";

const title = "Test device";

/** Handles the link of a test device: asks the reader, subscribes with its token, and shows the result. */
export async function promptTestDevice(context: PageContext, token: string): Promise<void> {
  const settings = await context.settings();
  const { name, prompt } = settings;
  const state = await readState(context);
  const showPrompt = await loadPrompt(context);
  // The token stays in the address: adding the site to the home screen stores the address.
  if (state === "install") return void showPrompt(softPromptTexts(settings, state), () => {});
  removeTestToken();
  const body = `This browser will get the test notifications of ${name}, and no others.`;
  showPrompt({ ...prompt, title, body }, (accepted) => {
    if (accepted) subscribe(context, { testToken: token }).catch(failed).then(showResult);
  });

  function showResult(result: { label?: string | null; message?: string } = {}): void {
    const { label, message = "This browser does not allow it." } = result;
    showPrompt({ title, body: label ? `This is the test device “${label}” now.` : message, later: "OK" }, () => {});
  }

  function failed(error: unknown): { message: string } {
    const failure = failureOf(error);
    context.emit("failed", failure);
    return failure;
  }
}
