/**
 * Returns whether iOS or iPadOS opens the site from the home screen as an app, which is the only place where it has push:
 * from 26 on each site, before that one whose manifest has the display `standalone` or `fullscreen`. Safari 26 names
 * itself in `Version/`, other browsers the system in `OS `.
 */
export async function opensAsApp(): Promise<boolean> {
  const versions = [...navigator.userAgent.matchAll(/(?:Version\/|OS )(\d+)/g)].map(([, version]) => Number(version));
  if (Math.max(...versions) >= 26) return true;
  const link = document.querySelector<HTMLLinkElement>('link[rel~="manifest"]');
  try {
    const { display } = await (await fetch(link!.href)).json();
    return /^(standalone|fullscreen)$/.test(display);
  } catch {
    return false;
  }
}
