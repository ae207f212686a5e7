import type { State } from "../page/api.ts";
import { removeTestToken } from "../page/arrival.ts";
import type { PageContext } from "../page/context.ts";
import type { Emit } from "../page/events.ts";
import { failureOf, withReason } from "../page/failure.ts";
import type * as Prompt from "../prompt/main.ts";

const title = "Test device";

/** The result of subscribing a test device: its label, or why it did not become one. */
type Result = { label?: string | null; message?: string };

/**
 * Asks the reader who has opened the link of a test device, and shows the result. If the site has to be installed
 * first, shows how to do that. Throws a Failure.
 */
export async function promptTestDevice(
  context: PageContext,
  state: State,
  subscribe: () => Promise<Result | undefined>,
): Promise<void> {
  const loading: Promise<typeof Prompt> = import(`${context.snippet.base}/sdk/prompt.js`);
  const { showPrompt, softPromptTexts } = await withReason("prompt", loading);
  const settings = await context.settings();
  // The token stays in the address, because adding the site to the home screen stores the address.
  if (state === "install") return void showPrompt(softPromptTexts(settings, state), () => {});
  removeTestToken();
  const { name, prompt } = settings;
  const { accept, later } = prompt;
  const body = `This browser will get the test notifications of ${name}, and no others.`;
  const showResult = ({ label, message = "This browser does not allow it." }: Result = {}) =>
    showPrompt({ title, body: label ? `This is the test device “${label}” now.` : message, later: "OK" }, () => {});
  showPrompt({ title, body, accept, later }, (accepted) => {
    if (accepted)
      subscribe()
        .catch((error) => report(error, context.emit))
        .then(showResult);
  });
}

function report(error: unknown, emit: Emit): Result {
  const failure = failureOf(error);
  emit("failed", failure);
  return failure;
}
