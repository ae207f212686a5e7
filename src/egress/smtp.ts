import { createTransport } from "nodemailer";

/** A letter as it is handed over: one address, plain text. */
export type Email = { to: string; subject: string; text: string };

/** Where letters go out: a server of the operator's own, so the guard of strangers' addresses has no part in it. */
export type SmtpServer = { host: string; port: number; tls: "fromStart" | "required" | "optional"; auth?: SmtpLogin };
type SmtpLogin = { user: string; pass: string };

/** `refused`: the server will never take it. `later`: it did not answer, or asks to come again. */
export type PostResult = { outcome: "sent" } | { outcome: "refused" | "later"; reason: string };

export type Mailer = { post(letter: Email, messageId: string): Promise<PostResult> };

const answerWithinMs = 10_000;

/**
 * Reads SMTP_URL: `smtps://` speaks TLS from the first byte, `smtp://` with STARTTLS, which has to be there unless the
 * server is this machine or the URL says `?tls=optional`. User name and password are percent-encoded. Null: it is none.
 */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname))
    return null;
  if (url.hash !== "" || !["", "?tls=optional"].includes(url.search)) return null;
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isHere = host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
  const tls = isSecure ? "fromStart" : isHere || url.search !== "" ? "optional" : "required";
  const port = url.port === "" ? (isSecure ? 465 : 587) : Number(url.port);
  try {
    const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
    return { host, port, tls, ...(auth.user === "" ? {} : { auth }) };
  } catch {
    return null;
  }
}

/** Hands letters to `server`, one connection each. `from`: an address, or `Name <address>`. Never throws. */
export function createMailer({ host, port, tls, auth }: SmtpServer, from: string): Mailer {
  const transport = createTransport({
    ...{ host, port, secure: tls === "fromStart", requireTLS: tls === "required" },
    // Where plain text would do, a certificate that nobody vouches for is no reason to fall back to it.
    ...(tls === "optional" ? { tls: { rejectUnauthorized: false } } : {}),
    ...(auth === undefined ? {} : { auth }),
    // Of a letter nothing is read from the disk or fetched, whatever its text says.
    ...{ disableFileAccess: true, disableUrlAccess: true },
    ...{ connectionTimeout: answerWithinMs, greetingTimeout: answerWithinMs, socketTimeout: answerWithinMs },
    ...{ dnsTimeout: answerWithinMs },
  });
  return {
    async post({ to, subject, text }, messageId) {
      const headers = { "auto-submitted": "auto-generated" };
      try {
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text, messageId, headers });
        return { outcome: "sent" };
      } catch (error) {
        return readFailure(error as { code?: string; responseCode?: number; command?: string });
      }
    },
  };
}

/** What the server says of an address or a text is final with 5xx. A refused login may be the operator's to mend. */
function readFailure({ code = "unknown", responseCode, command }: FailedPost): PostResult {
  const reason = [code, responseCode, command].filter(Boolean).join(" ");
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== "EAUTH";
  return { outcome: isFinal ? "refused" : "later", reason };
}

type FailedPost = { code?: string; responseCode?: number; command?: string };
