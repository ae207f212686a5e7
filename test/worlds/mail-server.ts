import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { makeCertificate } from "./certificate.ts";
import { afterFile } from "./cleanup.ts";
import { eventually } from "./eventually.ts";

/** A letter as it arrived. `text`: the lines of its body, with what quoted-printable had wrapped. */
export type Arrived = {
  to: string[];
  from: string;
  subject: string;
  text: string;
  headers: string;
  isEncrypted: boolean;
};

export type MailServer = {
  port: number;
  certificate: string;
  letters: Arrived[];
  /** Who signed in so far, as "user password". */
  logins: string[];
  /** Refuses the next letters with these codes, one each. */
  refuseNext(...codes: number[]): void;
  /** The next letter to this address that has not been handed out yet. */
  next(to: string): Promise<Arrived>;
};

/** A real SMTP server on loopback. `secure`: TLS from the first byte; `login`: the one that is let in. */
export async function startMailServer(options: { secure?: boolean; login?: string } = {}): Promise<MailServer> {
  const certificate = await makeCertificate("mail");
  const letters: Arrived[] = [];
  const logins: string[] = [];
  const refusals: number[] = [];
  const seen = new Set<Arrived>();
  const settings: SMTPServerOptions = {
    ...{ key: certificate.key, cert: certificate.cert, secure: options.secure ?? false },
    ...{ authOptional: options.login === undefined, allowInsecureAuth: false, disabledCommands: [] },
    ...(options.login === undefined ? { disabledCommands: ["AUTH"] } : {}),
    onAuth({ username, password }, _session, done) {
      logins.push(`${username} ${password}`);
      done(logins.at(-1) === options.login ? null : new Error("wrong login"), { user: username });
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const code = refusals.shift();
        if (code !== undefined) return done(Object.assign(new Error("not now"), { responseCode: code }));
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        const from = mailFrom === false ? "" : mailFrom.address;
        letters.push({ ...readLetter(Buffer.concat(chunks).toString()), to, from, isEncrypted: session.secure });
        done();
      });
    },
  };
  const server = new SMTPServer(settings);
  // A client that trusts nobody breaks the handshake off, which is what a test wants.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  return {
    ...{ port, certificate: certificate.cert, letters, logins },
    refuseNext: (...codes) => void refusals.push(...codes),
    next: (to) =>
      eventually(async () => {
        const found = letters.find((letter) => letter.to.includes(to) && !seen.has(letter));
        if (found !== undefined) seen.add(found);
        return found;
      }, 20_000),
  };
}

/** What a reader's program makes of it: 7-bit or quoted-printable, the only forms that a plain text takes. */
function readLetter(raw: string): Pick<Arrived, "subject" | "text" | "headers"> {
  const at = raw.indexOf("\r\n\r\n");
  const headers = raw.slice(0, at).replace(/\r\n[ \t]+/g, " ");
  const body = raw.slice(at + 4);
  const isQuoted = /content-transfer-encoding: quoted-printable/i.test(headers);
  const bytes = (text: string) =>
    text.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const text = isQuoted ? Buffer.from(bytes(body), "latin1").toString() : body;
  return { headers, subject: /^subject: (.*)$/im.exec(headers)?.[1] ?? "", text: text.replaceAll("\r\n", "\n") };
}
