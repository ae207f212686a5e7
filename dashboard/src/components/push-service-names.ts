import { words } from "../words/words.ts";

const names: Record<string, string> = {
  get fcm() {
    return words.components.googleChromeEdgeOpera;
  },
  get mozilla() {
    return words.components.mozillaFirefox;
  },
  get apple() {
    return words.components.appleSafari;
  },
  get wns() {
    return words.components.microsoftEdgeOnWindows;
  },
};

/** The name of a push service with its browsers; one that is not known is named by its address. */
export function nameOfPushService(pushService: string): string {
  return names[pushService] ?? pushService;
}
