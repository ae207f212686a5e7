import { words } from "../words/words.ts";

const names: Record<string, string> = {
  get fcm() {
    return words.components.googlePushService;
  },
  get mozilla() {
    return words.components.mozillaPushService;
  },
  get apple() {
    return words.components.applePushService;
  },
  get wns() {
    return words.components.microsoftPushService;
  },
};

/** Returns the name of a push service with its browsers. For an unknown push service, returns its address. */
export function nameOfPushService(pushService: string): string {
  return names[pushService] ?? pushService;
}
