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

/** Returns the name of a push service with its browsers. For an unknown push service, returns its address. */
export function nameOfPushService(pushService: string): string {
  return names[pushService] ?? pushService;
}
