// Runs in every page before its own scripts. It fakes the push service of the browser and the reader who answers the
// permission prompt. Both keep their state in localStorage under "test.".
(() => {
  const { PushManager, Notification } = window;
  if (!PushManager) return;
  const store = (name, value) => localStorage.setItem(`test.${name}`, JSON.stringify(value));
  const load = (name, fallback) => JSON.parse(localStorage.getItem(`test.${name}`)) ?? fallback;

  Object.defineProperty(Notification, "permission", { get: () => load("permission", "default") });
  Notification.requestPermission = async () => {
    if (Notification.permission === "default") store("permission", load("answer", "granted"));
    return Notification.permission;
  };

  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
  const base64url = (bytes) => text(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const bytesOf = (key) => Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

  const subscriptionOf = (stored) =>
    stored && {
      endpoint: stored.endpoint,
      options: { userVisibleOnly: true, applicationServerKey: bytesOf(stored.key).buffer },
      toJSON: () => ({ endpoint: stored.endpoint, expirationTime: null, keys: stored.keys }),
      async unsubscribe() {
        store("subscription", null);
        return true;
      },
    };

  PushManager.prototype.getSubscription = async () => subscriptionOf(load("subscription", null));
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    if (load("subscription", null) === null) {
      const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
      const p256dh = base64url(await crypto.subtle.exportKey("raw", pair.publicKey));
      const auth = base64url(crypto.getRandomValues(new Uint8Array(16)));
      const endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}:${crypto.randomUUID()}`;
      store("subscription", { endpoint, key, keys: { p256dh, auth } });
    }
    const stored = load("subscription");
    if (stored.key !== key) throw new DOMException("another key", "InvalidStateError");
    return subscriptionOf(stored);
  };
})();
