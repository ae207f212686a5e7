// Runs in every page before its own scripts. It stands for what is not here: the push service of the browser's maker,
// and a reader who answers the browser's question. Both keep what they know in localStorage under "test.".
(() => {
  const { PushManager, Notification } = window;
  if (!PushManager) return;
  const keep = (name, value) => localStorage.setItem(`test.${name}`, JSON.stringify(value));
  const kept = (name, otherwise) => JSON.parse(localStorage.getItem(`test.${name}`)) ?? otherwise;

  Object.defineProperty(Notification, "permission", { get: () => kept("permission", "default") });
  Notification.requestPermission = async () => {
    if (Notification.permission === "default") keep("permission", kept("answer", "granted"));
    return Notification.permission;
  };

  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
  const base64url = (bytes) => text(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const bytesOf = (key) => Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

  const subscriptionOf = (held) =>
    held && {
      endpoint: held.endpoint,
      options: { userVisibleOnly: true, applicationServerKey: bytesOf(held.key).buffer },
      toJSON: () => ({ endpoint: held.endpoint, expirationTime: null, keys: held.keys }),
      async unsubscribe() {
        keep("subscription", null);
        return true;
      },
    };

  PushManager.prototype.getSubscription = async () => subscriptionOf(kept("subscription", null));
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    if (kept("subscription", null) === null) {
      const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
      const p256dh = base64url(await crypto.subtle.exportKey("raw", pair.publicKey));
      const auth = base64url(crypto.getRandomValues(new Uint8Array(16)));
      const endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}:${crypto.randomUUID()}`;
      keep("subscription", { endpoint, key, keys: { p256dh, auth } });
    }
    const held = kept("subscription");
    if (held.key !== key) throw new DOMException("another key", "InvalidStateError");
    return subscriptionOf(held);
  };
})();
