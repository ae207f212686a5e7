import { words } from "../words/words.ts";

const names: Record<string, string> = {
  get fcm() {
    return words.subscribers.googleChromeEdgeOpera;
  },
  get mozilla() {
    return words.subscribers.mozillaFirefox;
  },
  get apple() {
    return words.subscribers.appleSafari;
  },
  get wns() {
    return words.subscribers.microsoftEdgeOnWindows;
  },
};

/** The name of a push service with its browsers; one that is not known is named by its address. */
export function nameOfPushService(pushService: string): string {
  return names[pushService] ?? pushService;
}
