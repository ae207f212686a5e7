import type { Email } from "../egress/smtp.ts";
import type { Role } from "./roles.ts";

export const nameLength = 40;

/**
 * Returns a name that is safe in an e-mail to a stranger: one line of at most 40 characters that no mail program
 * turns into a link. The author of the name must not be able to write parts of the e-mail. A space replaces line
 * breaks, reordering and invisible characters, each colon, slash, @ and bracket, and each dot before a word.
 */
function nameInMail(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").normalize("NFKC");
  const apart = line.replace(/[/\\@:<>[\]()]+/gu, " ").replace(/[.\u3002]+(?=\S)/gu, " ");
  const characters = [...apart.replace(/\s+/gu, " ").trim()];
  if (characters.length <= nameLength) return characters.join("");
  const start = characters.slice(0, nameLength - 1).join("");
  return `${start.trim()}…`;
}

const asRole = {
  owner: ", as an owner",
  editor: ", as an editor",
  viewer: ", as a viewer",
  none: ", for some of its sites",
};

/**
 * Returns the e-mail to an invited person. `role`: for the whole tenant; null for roles on single sites, which the
 * page of the link names.
 */
export function invitationEmail(input: {
  email: string;
  tenantName: string;
  role: Role | null;
  link: string;
  validDays: number;
}): Email {
  const { email, role, link, validDays } = input;
  const tenantName = nameInMail(input.tenantName);
  const text = [
    `You are invited to work for ${tenantName} with Pressbell${asRole[role ?? "none"]}.`,
    `Open this link to join. It works once, and for ${validDays} days:`,
    link,
    "If you expect no such invitation, leave it: without the link nothing happens.",
  ];
  return { to: email, subject: `Your invitation to ${tenantName}`, text: `${text.join("\n\n")}\n` };
}

/** Returns the e-mail with a password link. */
export function passwordEmail(input: { email: string; link: string; validHours: number }): Email {
  const { email, link, validHours } = input;
  const text = [
    "Somebody, probably you, wants a new password for your account at Pressbell.",
    `Open this link to choose one. It works once, and for ${validHours} hours:`,
    link,
    "If it was not you, leave it: your password stays as it is.",
  ];
  return { to: email, subject: "A new password for Pressbell", text: `${text.join("\n\n")}\n` };
}
