import { isPublicName } from "./egress/page/public-address.ts";

/**
 * Matches letters, digits and inner hyphens (RFC 1123), with a top-level domain that begins with a letter, so no IP
 * address.
 */
const hostName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i;

/**
 * Returns whether push services accept `subject` as the VAPID contact (RFC 8292 section 2.1). Apple answers
 * BadJwtToken unless it is a plain `mailto:` or `https:` address on a public name. So single labels and `.localhost`
 * are refused.
 */
export function isVapidSubject(subject: string): boolean {
  if (subject.length > 512) return false;
  const mailbox = /^mailto:[^\s@<>()[\]\\,;:"?#%]+@([^\s@]+)$/.exec(subject);
  if (mailbox) return isContactHost(mailbox[1]!);
  if (!/^https:\/\/[\x21-\x7e]+$/.test(subject) || !URL.canParse(subject)) return false;
  const url = new URL(subject);
  return url.username === "" && url.password === "" && isContactHost(url.hostname);
}

function isContactHost(name: string): boolean {
  return isPublicName(name) && hostName.test(name) && !name.toLowerCase().endsWith(".localhost");
}
