/** Feeds still name pages by http that are served by https too; only those are read and sent. */
export function httpsOf(address: string): string {
  return address.replace(/^http:\/\/([^/:?#]+)(?::80)?(?=[/?#]|$)/i, "https://$1");
}
