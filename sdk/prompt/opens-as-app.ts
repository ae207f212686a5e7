/**
 * A step to install a site, by what the reader taps: `more` is “…”, `share` is the arrow out of a box, `add` is the
 * plus.
 */
export type InstallStep = "more" | "share" | "add";

/**
 * Returns whether iOS or iPadOS opens the site from the home screen as an app, which is the only place where it has
 * push. From version 26 on, it does so for each site. Earlier versions need a manifest with the display `standalone`
 * or `fullscreen`.
 */
export async function opensAsApp(): Promise<boolean> {
  if (isFrom26()) return true;
  const link = document.querySelector<HTMLLinkElement>('link[rel~="manifest"]');
  try {
    const { display } = await (await fetch(link!.href)).json();
    return /^(standalone|fullscreen)$/.test(display);
  } catch {
    return false;
  }
}

/** Returns the steps to install the site. In Safari 26 on phones, Share is behind “…”. */
export function installSteps(): InstallStep[] {
  const isBehindMore = isFrom26() && /iPhone.*Version/.test(navigator.userAgent);
  return [...(isBehindMore ? (["more"] as const) : []), "share", "add"];
}

/**
 * Returns whether the system is iOS or iPadOS 26 or later. Safari 26 has its own version in `Version/`, other
 * browsers name the version of the system.
 */
function isFrom26(): boolean {
  return [...navigator.userAgent.matchAll(/(?:Version\/|OS )(\d+)/g)].some(([, version]) => Number(version) >= 26);
}
