import { attempt } from "../page/context.ts";
import { withReason } from "../page/failure.ts";
import type { Loaded } from "../page/pressbell.ts";
import { readJson } from "../wire.ts";

/** So often a browser says the same again: the site may have declared something else meanwhile. */
const againMs = 604_800_000;

/**
 * Says to the service what the page knows of a subscribed reader, now and when they subscribe. Of others nothing is
 * sent or stored. Facts that the site has not declared are left out, and the console says so.
 */
export async function tellFacts(pressbell: Loaded, told: Record<string, string>): Promise<void> {
  const { context } = pressbell;
  // The visit is over: it may renew the subscription.
  await pressbell.topics();
  const { facts: declared } = await context.settings();
  const facts = Object.fromEntries(
    Object.entries(told).filter(([name, value]) => {
      const isDeclared = declared.some((fact) => fact.name === name && (!value || fact.values.includes(value)));
      // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of the page.
      if (!isDeclared) console.warn(`Pressbell: the site has not declared the fact ${name}=${value}`);
      return isDeclared;
    }),
  );
  if (Object.keys(facts).length === 0) return;
  const tell = () =>
    attempt(
      context,
      context.inTurn(() => tellService(pressbell, facts)),
    );
  pressbell.on("unsubscribed", () => context.memory.write({ told: undefined }));
  pressbell.on("subscribed", tell);
  await tell();
}

/** Two elements may say different facts: what each has said last is kept apart. */
async function tellService({ context, state }: Loaded, facts: Record<string, string>): Promise<void> {
  const { snippet, memory } = context;
  const { subscription, told = {} } = memory.read();
  if (!subscription || (await state()) !== "subscribed") return;
  const names = Object.keys(facts).sort().join();
  const now = JSON.stringify([subscription.endpoint, facts, Math.floor(Date.now() / againMs)]);
  if (told[names] === now) return;
  const url = `${snippet.base}/sdk/sites/${snippet.siteId}/preferences`;
  await withReason("service", readJson(url, { ...subscription, facts }));
  memory.write({ told: { ...told, [names]: now } });
}
