import { createTransport } from "nodemailer";

/** An e-mail to one address, in plain text. */
export type Email = { to: string; subject: string; text: string };

/** The operator's own mail server. Its address is trusted, so the guard for untrusted URLs does not apply. */
export type SmtpServer = { host: string; port: number; tls: "fromStart" | "required" | "optional"; auth?: SmtpLogin };
type SmtpLogin = { user: string; pass: string };

/**
 * The result of a post. `refused`: the server will never accept the e-mail. `later`: it did not answer, or asked for
 * a retry.
 */
export type PostResult = { outcome: "sent" } | { outcome: "refused" | "later"; reason: string };

export type Mailer = { post(email: Email, messageId: string): Promise<PostResult> };

const answerWithinMs = 10_000;

/**
 * Parses SMTP_URL. `smtps://` uses TLS from the first byte. `smtp://` uses STARTTLS, which the server must support
 * unless it is this machine or the URL has `?tls=optional`. User name and password are percent-encoded. Returns null
 * if the URL is invalid.
 */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname))
    return null;
  if (url.hash !== "" || !["", "?tls=optional"].includes(url.search)) return null;
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isLocal = host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
  const tls = isSecure ? "fromStart" : isLocal || url.search !== "" ? "optional" : "required";
  const port = url.port === "" ? (isSecure ? 465 : 587) : Number(url.port);
  try {
    const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
    return { host, port, tls, ...(auth.user === "" ? {} : { auth }) };
  } catch {
    return null;
  }
}

/**
 * Creates a mailer that opens a connection per e-mail. `from`: an address, or `Name <address>`. `post` never rejects.
 */
export function createMailer({ host, port, tls, auth }: SmtpServer, from: string): Mailer {
  const transport = createTransport({
    host,
    port,
    secure: tls === "fromStart",
    requireTLS: tls === "required",
    // If plain text is allowed, an untrusted certificate must not cause a fallback to plain text.
    ...(tls === "optional" ? { tls: { rejectUnauthorized: false } } : {}),
    ...(auth === undefined ? {} : { auth }),
    // The text of an e-mail must not make nodemailer read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: answerWithinMs,
    greetingTimeout: answerWithinMs,
    socketTimeout: answerWithinMs,
    dnsTimeout: answerWithinMs,
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

/**
 * Returns the result of a failed post. A 5xx reply about an address or a text is final. A refused login is not,
 * because the operator may correct it.
 */
function readFailure({ code = "unknown", responseCode, command }: FailedPost): PostResult {
  const reason = [code, responseCode, command].filter(Boolean).join(" ");
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== "EAUTH";
  return { outcome: isFinal ? "refused" : "later", reason };
}

type FailedPost = { code?: string; responseCode?: number; command?: string };
