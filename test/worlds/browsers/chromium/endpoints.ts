/**
 * A script that gives the subscriptions of a page or a worker the endpoints that begin with `before`: Google's host is
 * built into Chromium, which appends its GCM token to it. Only what the script can read of an endpoint is changed.
 */
export function leadEndpointsTo(before: string): string {
  return `{
    const { prototype } = PushSubscription;
    const { get } = Object.getOwnPropertyDescriptor(prototype, "endpoint");
    const { toJSON } = prototype;
    const led = (url) => ${JSON.stringify(before)} + url.slice(url.lastIndexOf("/") + 1);
    Object.defineProperty(prototype, "endpoint", { get() { return led(get.call(this)); } });
    prototype.toJSON = function () {
      const json = toJSON.call(this);
      return { ...json, endpoint: led(json.endpoint) };
    };
  }
  `;
}
