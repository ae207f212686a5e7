import { accept } from "./accept.ts";
import { forgetTestToken } from "./arrival.ts";
import { softTexts } from "./ask.ts";
import { failureOf } from "./failure.ts";
import { showPrompt } from "./prompt.ts";
import { readState } from "./state.ts";
import type { World } from "./world.ts";

const title = "Test device";

/** The link of a test device was opened: asks, subscribes with its token, and tells what came of it. */
export async function askTestDevice(world: World, token: string): Promise<void> {
  const settings = await world.settings();
  const { name, prompt } = settings;
  const state = await readState(world);
  // Until the site is installed the token stays in the address, which is what goes to the home screen.
  if (state === "install") return showPrompt(softTexts(settings, state), () => {});
  forgetTestToken();
  const body = `This browser will get the test nudges of ${name}, and no others.`;
  showPrompt({ ...prompt, title, body }, (accepted) => {
    if (accepted) accept(world, { testToken: token }).catch(failed).then(tell);
  });

  function failed(error: unknown): { message: string } {
    const failure = failureOf(error);
    world.emit("failed", failure);
    return failure;
  }
}

function tell(outcome: { label?: string | null; message?: string } = {}): void {
  const { label, message = "This browser does not allow it." } = outcome;
  showPrompt({ title, body: label ? `This is the test device “${label}” now.` : message, later: "OK" }, () => {});
}
