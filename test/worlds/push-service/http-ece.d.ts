/** The two functions of http_ece 1.2.0 in use here; the package brings no types. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  type WebPushParams = {
    version: "aes128gcm";
    /** Own key pair: the sender's to encrypt, the subscription's to decrypt. */
    privateKey: ECDH;
    /** To encrypt: the subscription's public key, base64url or 65 bytes. */
    dh?: string | Uint8Array;
    /** The subscription's auth secret, base64url or 16 bytes. */
    authSecret: string | Uint8Array;
    /** Record size in bytes, 4096 unless given. */
    rs?: number;
  };

  export function encrypt(plaintext: Buffer, params: WebPushParams): Buffer;
  export function decrypt(body: Buffer, params: WebPushParams): Buffer;
}
