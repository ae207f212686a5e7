/**
 * Whether push is impossible here, and why. Safari on iOS and iPadOS has it only in a site that was added to the home
 * screen: there `navigator.standalone` exists and is false. Style sheets that a script makes came with the same
 * version (16.4), and older ones have no push even then.
 */
export function whyImpossible(): "unsupported" | "install" | undefined {
  if (!("adoptedStyleSheets" in document)) return "unsupported";
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return undefined;
  return "standalone" in navigator && navigator.standalone === false ? "install" : "unsupported";
}
