/**
 * Whether push services take `subject` as a contact (RFC 8292 section 2.1). Apple answers BadJwtToken to anything but
 * a plain `mailto:` or `https:` address, and to ones that lead nowhere, so names without a dot and `.localhost` are refused.
 */
export function isVapidSubject(subject: string): boolean {
  if (subject.length > 512) return false;
  const mailbox = /^mailto:[^\s@<>()[\]\\,;:"?#%]+@([^\s@]+)$/.exec(subject);
  if (mailbox) return isPublicName(mailbox[1]!);
  if (!/^https:\/\/[\x21-\x7e]+$/.test(subject) || !URL.canParse(subject)) return false;
  const url = new URL(subject);
  return url.username === "" && url.password === "" && isPublicName(url.hostname);
}

function isPublicName(name: string): boolean {
  const labels = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/i;
  return name.length <= 253 && labels.test(name) && !name.toLowerCase().endsWith(".localhost");
}
