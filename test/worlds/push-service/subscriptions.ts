import { createCipheriv, createDecipheriv, createECDH, createHash, type ECDH, randomBytes } from "node:crypto";

/** What a browser hands to its site: the shape of `PushSubscription.toJSON()`, base64url without padding. */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export type SubscriptionOptions = {
  /** The VAPID public key (base64url) it was registered with: only this key may then send to it. */
  applicationServerKey?: string;
  /** Path before the token, "/push" unless given. */
  lanePath?: string;
};

export type Subscriptions = {
  count(): number;
  /** The next `count` subscriptions, made one at a time so that nobody has to hold them all. */
  make(count: number, options?: SubscriptionOptions): Generator<Subscription>;
  /** Index of the subscription whose endpoint has this path; -1 when unknown. */
  indexOfPath(path: string): number;
  endpointOf(index: number): string;
  applicationServerKeyOf(index: number): string | undefined;
  /** Key pair and auth secret of one, to decrypt with. The pair is a new object each time. */
  secretsOf(index: number): { keyPair: ECDH; auth: Buffer };
};

type Group = { to: number; lanePath: string; applicationServerKey: string | undefined };

/**
 * The subscriptions of one push service. Nothing is kept for each of them: token, private key and
 * auth secret follow from the index and a random secret of this service, so a million cost no memory.
 */
export function makeSubscriptions(origin: string): Subscriptions {
  const tokens = makeTokens();
  const secret = randomBytes(32);
  const pair = createECDH("prime256v1");
  const groups: Group[] = [];
  let made = 0;

  const groupOf = (index: number): Group => groups.find((group) => index < group.to)!;
  const endpointOf = (index: number): string => `${origin}${groupOf(index).lanePath}/${tokens.tokenOf(index)}`;

  return {
    count: () => made,
    *make(count, options = {}) {
      const end = made + count;
      while (made < end) {
        const index = made++;
        extendGroups(groups, index, options);
        const { privateKey, auth } = derive(secret, index);
        pair.setPrivateKey(privateKey);
        const p256dh = pair.getPublicKey("base64url");
        yield { endpoint: endpointOf(index), keys: { p256dh, auth: auth.toString("base64url") } };
      }
    },
    indexOfPath(path) {
      const slash = path.lastIndexOf("/");
      const index = tokens.indexOf(path.slice(slash + 1));
      if (index < 0 || index >= made) return -1;
      return groupOf(index).lanePath === path.slice(0, slash) ? index : -1;
    },
    endpointOf,
    applicationServerKeyOf: (index) => groupOf(index).applicationServerKey,
    secretsOf(index) {
      const { privateKey, auth } = derive(secret, index);
      const keyPair = createECDH("prime256v1");
      keyPair.setPrivateKey(privateKey);
      return { keyPair, auth };
    },
  };
}

/** Puts `index` in the last group, or in a new one when its options differ. */
function extendGroups(groups: Group[], index: number, options: SubscriptionOptions): void {
  const { applicationServerKey, lanePath = "/push" } = options;
  const last = groups.at(-1);
  if (last && last.lanePath === lanePath && last.applicationServerKey === applicationServerKey) last.to = index + 1;
  else groups.push({ to: index + 1, lanePath, applicationServerKey });
}

/** 32-byte P-256 scalar and 16-byte auth secret of one subscription. */
function derive(secret: Buffer, index: number): { privateKey: Buffer; auth: Buffer } {
  const bytes = createHash("sha512").update(secret).update(String(index)).digest();
  // Without its top bit the scalar is always below the order of the curve.
  bytes[0] = bytes[0]! & 0x7f;
  return { privateKey: bytes.subarray(0, 32), auth: bytes.subarray(32, 48) };
}

/** Tokens of 22 base64url characters: the index and a random mark under a block cipher, so they look random. */
function makeTokens(): { tokenOf(index: number): string; indexOf(token: string): number } {
  const key = randomBytes(16);
  const block = randomBytes(16);
  const mark = Buffer.from(block.subarray(4));
  // ECB keeps no state between blocks: one cipher object serves all tokens.
  const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false);
  const decipher = createDecipheriv("aes-128-ecb", key, null).setAutoPadding(false);
  return {
    tokenOf(index) {
      block.writeUInt32BE(index, 0);
      return cipher.update(block).toString("base64url");
    },
    indexOf(token) {
      if (!/^[\w-]{22}$/.test(token)) return -1;
      const plain = decipher.update(Buffer.from(token, "base64url"));
      return mark.equals(plain.subarray(4)) ? plain.readUInt32BE(0) : -1;
    },
  };
}
