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

/** The push service of a lane with its browsers; a lane of its own is named by its address. */
export function nameOfLane(lane: string): string {
  return names[lane] ?? lane;
}
