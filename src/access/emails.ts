import type { Email } from "../egress/smtp.ts";
import type { Role } from "./roles.ts";

/**
 * Makes a name one line of at most 200 characters: its author must not add lines or reorder text (bidi) in our e-mail.
 */
const lineOf = (text: string) => text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ").slice(0, 200);

/** The e-mail to an invited person. */
export function invitationEmail(input: {
  email: string;
  tenantName: string;
  role: Role;
  link: string;
  validDays: number;
}): Email {
  const { email, role, link, validDays } = input;
  const tenantName = lineOf(input.tenantName);
  const text = [
    `You are invited to work for ${tenantName} with Pressbell, as ${role === "viewer" ? "a viewer" : `an ${role}`}.`,
    `Open this link to join. It works once, and for ${validDays} days:`,
    link,
    "If you expect no such invitation, leave it: without the link nothing happens.",
  ];
  return { to: email, subject: `Your invitation to ${tenantName}`, text: `${text.join("\n\n")}\n` };
}

/** The e-mail with a password link. */
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
