import type { State } from "../page/api.ts";
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
export function showTestDevice(settings: Settings, state: State, subscribe: () => Promise<Result | undefined>): void {
  if (state === "install") return void showPrompt(softPromptTexts(settings, state), () => {});
  const { name, prompt } = settings;
  const { accept, later } = prompt;
  const body = `This browser will get the test notifications of ${name}, and no others.`;
  showPrompt({ title, body, accept, later }, (accepted) => {
    if (accepted) subscribe().then(showResult);
  });
}

function showResult({ label, message = "This browser does not allow it." }: Result = {}): void {
  showPrompt({ title, body: label ? `This is the test device “${label}” now.` : message, later: "OK" }, () => {});
}
