/** Resolves once the page has loaded. */
export async function loaded(): Promise<void> {
  if (document.readyState !== "complete") await new Promise((then) => addEventListener("load", then, { once: true }));
}
