import { attempt } from "../page/context.ts";
import { withReason } from "../page/failure.ts";
import type { Loaded } from "../page/pressbell.ts";
import { readJson } from "../wire.ts";

/** How often a browser repeats the same facts: once a week, because the site may have changed its declared facts. */
const againMs = 604_800_000;

/**
 * Tells the service what the page knows about a subscribed reader, now and when the reader subscribes. Sends and
 * stores nothing about other readers. Facts that the site has not declared are left out, with a warning in the
 * console.
 */
export async function tellFacts(pressbell: Loaded, told: Record<string, string>): Promise<void> {
  const { context } = pressbell;
  // This waits for the end of the visit, which may renew the subscription.
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

/**
 * Sends facts unless the browser has already sent the same. Two script elements may tell different facts, so the last
 * facts are stored separately for each set of names.
 */
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
