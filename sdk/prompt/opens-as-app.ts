/** Something that a reader taps to install a site: `more` is “…”, `share` the arrow out of a box, `add` the plus. */
export type InstallStep = "more" | "share" | "add";

/**
 * Returns whether iOS or iPadOS opens the site from the home screen as an app, which is the only place where it has push:
 * from 26 on each site, before that one whose manifest has the display `standalone` or `fullscreen`.
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

/** Returns what the reader taps to install the site. Safari 26 on phones has Share behind “…”. */
export function installSteps(): InstallStep[] {
  const isBehindMore = isFrom26() && /iPhone.*Version/.test(navigator.userAgent);
  return [...(isBehindMore ? (["more"] as const) : []), "share", "add"];
}

/** Whether the system is iOS or iPadOS 26 or later. Safari 26 names itself in `Version/`, other browsers the system. */
function isFrom26(): boolean {
  return [...navigator.userAgent.matchAll(/(?:Version\/|OS )(\d+)/g)].some(([, version]) => Number(version) >= 26);
}
