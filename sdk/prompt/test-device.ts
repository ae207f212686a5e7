import type { State } from "../page/api.ts";
import { removeTestToken } from "../page/arrival.ts";
import type { Emit } from "../page/events.ts";
import { failureOf } from "../page/failure.ts";
import type { Settings } from "../page/settings.ts";
import { showPrompt } from "./show-prompt.ts";
import { softPromptTexts } from "./soft-prompt.ts";

const title = "Test device";

/** What became of it: the label of the test device, or why it is none. */
type Result = { label?: string | null; message?: string };

/**
 * Asks the reader who has opened the link of a test device, and shows what became of it; where the site has to be
 * installed first, how to do that.
 */
export function showTestDevice(
  settings: Settings,
  state: State,
  emit: Emit,
  subscribe: () => Promise<Result | undefined>,
): void {
  // The token stays in the address: adding the site to the home screen stores the address.
  if (state === "install") return void showPrompt(softPromptTexts(settings, state), () => {});
  removeTestToken();
  const { name, prompt } = settings;
  const { accept, later } = prompt;
  const body = `This browser will get the test notifications of ${name}, and no others.`;
  showPrompt({ title, body, accept, later }, (accepted) => {
    if (accepted)
      subscribe()
        .catch((error) => report(error, emit))
        .then(showResult);
  });
}

function report(error: unknown, emit: Emit): Result {
  const failure = failureOf(error);
  emit("failed", failure);
  return failure;
}

function showResult({ label, message = "This browser does not allow it." }: Result = {}): void {
  showPrompt({ title, body: label ? `This is the test device “${label}” now.` : message, later: "OK" }, () => {});
}
