import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { ConfigError } from "../src/errors.ts";
import { secretSettings } from "../src/secret-files.ts";
import { runHere } from "./cli/run-here.ts";

const plansRule = 'PLANS must be JSON such as {"free":{"audienceCap":1000},"unlimited":{}}';
const originsRule = "PUSH_SERVICES must be a comma list of https origins such as https://push.example.org:8443";

const smtpRule =
  "must be smtps://USER:PASSWORD@HOST, or smtp://… with STARTTLS (?tls=optional where the server has none)";
const senderRule = "must be an address, or a name and an address such as Example News <push@example.org>";

const headersRule = "OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs with commas between, percent-encoded";
const urlRule =
  "DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE (in PASSWORD write %2F for /, %25 for %)";

/** Wrong values of each setting, with the message for each. */
const wrong: [setting: string, value: string, says: string][] = [
  ["PORT", "80a", "PORT must be a whole number"],
  ["PORT", "-1", "PORT must be a whole number"],
  ["PORT", "8080.5", "PORT must be a whole number"],
  ["PORT", "65536", "PORT must be at most 65535"],
  ["PUBLIC_URL", "push.example.org", "PUBLIC_URL must be an http(s) URL"],
  ["PUBLIC_URL", "ftp://push.example.org", "PUBLIC_URL must be an http(s) URL"],
  ["PUBLIC_URL", "https://push.example.org/?a", "PUBLIC_URL must be an http(s) URL without a user name, ? and #"],
  ["METRICS_PORT", "many", "METRICS_PORT must be a whole number"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2", headersRule],
  ["OTEL_EXPORTER_OTLP_HEADERS", "key=hunter 2", headersRule],
  ["METRICS_TOKEN", "short", "METRICS_TOKEN must have at least 16 visible ASCII characters"],
  ["ALLOW_HOSTS_HEADER", "https://push.internal", "ALLOW_HOSTS_HEADER must be a comma list of host[:port]"],
  ["ALLOW_HOSTS_HEADER", "push.internal, a b", "ALLOW_HOSTS_HEADER must be a comma list of host[:port]"],
  ["ALLOW_HOSTS_HEADER", "push.internal:99999", "ALLOW_HOSTS_HEADER must be a comma list of host[:port]"],
  ["ALLOW_HOSTS_HEADER", "user@push.internal", "ALLOW_HOSTS_HEADER must be a comma list of host[:port]"],
  ["DATABASE_URL", "mysql://localhost/pressbell", "DATABASE_URL must be a postgres:// URL"],
  ["DATABASE_URL_DIRECT", "localhost", "DATABASE_URL_DIRECT must be a postgres:// URL"],
  ["DATABASE_URL", "postgres://u:hunter2@a:5432,:5432/d", urlRule],
  ["DATABASE_URL", "postgres://u:hunter2@a:5432,b:99999/d", urlRule],
  ["DATABASE_URL", "postgres:///d?host=a,,b", "DATABASE_URL must not have an empty host in its list"],
  [
    "DATABASE_URL",
    "postgres://a,b/d?target_session_attrs=any",
    "DATABASE_URL has another target_session_attrs than read-write: the server that takes writes is the only one that can be used",
  ],
  ["DATABASE_URL_REPLICA", "localhost", "DATABASE_URL_REPLICA must be a postgres:// URL"],
  ["DATABASE_URL_REPLICA", "postgres://a,b/d", "DATABASE_URL_REPLICA must name one host, a standby"],
  ["DATABASE_URL", "postgres://u:hunter2#x@h/d", "DATABASE_URL must not have a #: write %23"],
  ["DATABASE_URL", "postgres://u:hunter2%zz@h/d", urlRule],
  ["DATABASE_URL", "postgres://h:99999/d", urlRule],
  [
    "DATABASE_URL",
    "postgres://h/d?sslrootcert=/nowhere.pem",
    "DATABASE_URL has an sslrootcert that names a file which cannot be read",
  ],
  [
    "DATABASE_URL",
    "postgres://h/d?sslmode=on",
    "DATABASE_URL has an unknown sslmode: it is one of disable, prefer, require, verify-ca, verify-full, no-verify",
  ],
  ["SECRET_KEY", "too short", "SECRET_KEY must have at least 32 characters"],
  ["LOG_FORMAT", "xml", "LOG_FORMAT must be auto, json or text"],
  ["LOG_LEVEL", "loud", "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent"],
  ["TRUST_PROXY", "yes", "TRUST_PROXY must be true, false or the number of proxies in front"],
  ["VAPID_SUBJECT", "desk@example.org", "VAPID_SUBJECT must be a mailto: or https: address on a public name"],
  ["VAPID_SUBJECT", "mailto:desk@localhost", "VAPID_SUBJECT must be a mailto: or https: address on a public name"],
  ["GRACE_MINUTES", "10081", "GRACE_MINUTES must be at most 10080"],
  ["PLANS", "{", plansRule],
  ["PLANS", "null", plansRule],
  ["PLANS", '["free"]', plansRule],
  ["PLANS", '{"free":{"cap":1}}', plansRule],
  ["PLANS", '{"free":{"audienceCap":-1}}', plansRule],
  ["PLANS", "{}", "PLANS must name at least one plan"],
  ["AUDIT_DAYS", "0", "AUDIT_DAYS must be at least 1"],
  ["RECIPIENT_DAYS", "0", "RECIPIENT_DAYS must be at least 1"],
  ["RECIPIENT_DAYS", "91", "RECIPIENT_DAYS must be at most 90"],
  ["ACCOUNT_DAYS", "0", "ACCOUNT_DAYS must be at least 1"],
  ["CONSENT_PROOF_DAYS", "0", "CONSENT_PROOF_DAYS must be at least 1"],
  ["AUTOSAVED_DRAFT_DAYS", "0", "AUTOSAVED_DRAFT_DAYS must be at least 1"],
  ["SESSION_DAYS", "31", "SESSION_DAYS must be at most 30"],
  ["SMTP_URL", "mail.example.org", `SMTP_URL ${smtpRule}`],
  ["SMTP_URL", "smtp://mail.example.org?secure=false", `SMTP_URL ${smtpRule}`],
  ["MAIL_FROM", "push", `MAIL_FROM ${senderRule}`],
  ["MAIL_FROM", "News <push@example.org>, x@example.org", `MAIL_FROM ${senderRule}`],
  ["OIDC_ISSUER", "http://login.example.org", "OIDC_ISSUER must be an https URL"],
  ["OIDC_ISSUER", "https://login.example.org/?a", "OIDC_ISSUER must be an https URL without a user name, ? and #"],
  ["OIDC_NAME", "x".repeat(41), "OIDC_NAME must have at most 40 characters"],
  ["WORKERS", "0", "WORKERS must be at least 1"],
  ["WORKERS", "65", "WORKERS must be at most 64"],
  ["RATE_LIMIT_PER_MINUTE", "0", "RATE_LIMIT_PER_MINUTE must be at least 1"],
  ["FETCH_RATE_LIMIT_PER_MINUTE", "many", "FETCH_RATE_LIMIT_PER_MINUTE must be a whole number"],
  ["ALLOW_HOSTS", "https://cms.intranet", "ALLOW_HOSTS must be a comma list of host[:port]"],
  ["ALLOW_HOSTS", "cms.intranet:99999", "ALLOW_HOSTS must be a comma list of host[:port]"],
  ["PUSH_SERVICES", "push.example.org", originsRule],
  ["PUSH_SERVICES", "http://push.example.org", originsRule],
  ["PUSH_SERVICES", "https://push.example.org/path", originsRule],
  ["PUSH_SERVICES", "https://a:b@push.example.org", originsRule],
];

function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error("not refused by name");
}

describe("settings", () => {
  test.each(wrong)("%s=%s is refused by name, in one line", (setting, value, says) => {
    expect(refusal({ SECRET_KEY: "x".repeat(32), [setting]: value })).toBe(`Wrong setting: ${says}.`);
  });

  test("several wrong settings are reported together, each once", () => {
    const environment = { PORT: "x", WORKERS: "0", PUSH_SERVICES: "a,b" };
    expect(refusal(environment)).toBe(
      `Wrong setting: PORT must be a whole number; WORKERS must be at least 1; ${originsRule}.`,
    );
  });

  test("DATABASE_URL needs a SECRET_KEY", () => {
    expect(refusal({ DATABASE_URL: "postgres://localhost/pressbell" })).toMatch(
      /^Wrong setting: SECRET_KEY must be set/,
    );
  });

  test("a mail server needs a sender, and a public URL that e-mails link to", () => {
    const mail = { SMTP_URL: "smtp://desk:hunter2@mail.example.org" };
    expect(refusal(mail)).toMatch(/^Wrong setting: MAIL_FROM must be set/);
    expect(refusal({ ...mail, MAIL_FROM: "News <push@example.org>" })).toMatch(
      /^Wrong setting: PUBLIC_URL must be set/,
    );
  });

  test("a sign-in provider needs issuer, client, secret and public URL, or nothing at all", () => {
    const provider = {
      OIDC_ISSUER: "https://login.example.org",
      OIDC_CLIENT_ID: "pressbell",
      OIDC_CLIENT_SECRET: "hunter2",
      PUBLIC_URL: "https://push.example.org",
    };
    expect(readConfig(provider)).toMatchObject({ ...provider, OIDC_NAME: "single sign-on" });
    expect(readConfig({ OIDC_NAME: "Example Account" }).OIDC_ISSUER).toBeUndefined();
    for (const name of Object.keys(provider)) {
      const says = refusal({ ...provider, [name]: "" });
      expect(says).toMatch(new RegExp(`^Wrong setting: ${name} must be set when OIDC_`));
      expect(says).not.toContain("hunter2");
    }
    expect(refusal({ OIDC_CLIENT_SECRET: "hunter2" })).toMatch(
      /^Wrong setting: OIDC_ISSUER, OIDC_CLIENT_ID, PUBLIC_URL must be set when OIDC_CLIENT_SECRET is: /,
    );
  });

  test("a message does not repeat a secret", () => {
    expect(refusal({ SECRET_KEY: "hunter2", DATABASE_URL: "hunter2" })).not.toContain("hunter2");
  });

  test("an empty variable counts as unset, and other variables are ignored", () => {
    const empty = Object.fromEntries(wrong.map(([setting]) => [setting, ""]));
    expect(readConfig({ ...empty, HOST: "", DATA_DIR: "", PATH: "/bin", UNKNOWN: "1" })).toEqual(readConfig({}));
  });

  test("lists, counts and plans are parsed", () => {
    const config = readConfig({
      ALLOW_HOSTS: " cms.intranet , 127.0.0.1:8443,",
      PUSH_SERVICES: "https://push.example.org:8443, https://other.example/",
      PLANS: '{"free":{"audienceCap":1000},"large":{}}',
      TRUST_PROXY: "2",
      PORT: "0",
    });
    expect(config).toMatchObject({
      ALLOW_HOSTS: ["cms.intranet", "127.0.0.1:8443"],
      PUSH_SERVICES: ["https://push.example.org:8443", "https://other.example/"],
      PLANS: { free: { audienceCap: 1_000 }, large: {} },
      TRUST_PROXY: 2,
      PORT: 0,
    });
    expect(readConfig({ TRUST_PROXY: "true" }).TRUST_PROXY).toBe(true);
    expect(readConfig({ TRUST_PROXY: "false" }).TRUST_PROXY).toBe(false);
  });
});

describe("a secret in a file", () => {
  const key = "k".repeat(40);
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pressbell-secrets-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function fileWith(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  }

  test("is read without the line break at its end, and checked as the variable is", async () => {
    const values = {
      METRICS_TOKEN: "m".repeat(16),
      DATABASE_URL: "postgres://db.example/pressbell",
      DATABASE_URL_DIRECT: "postgres://direct.example/pressbell",
      DATABASE_URL_REPLICA: "postgres://replica.example/pressbell",
      SECRET_KEY: key,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hunter2,x-team=news",
      SMTP_URL: "smtps://desk:hunter2@mail.example.org",
      OIDC_CLIENT_SECRET: "hunter2",
    };
    expect(Object.keys(values)).toEqual(secretSettings);
    const files = Object.entries(values).map(async ([name, value]) => [
      `${name}_FILE`,
      await fileWith(name, `${value}\r\n`),
    ]);
    const others = {
      MAIL_FROM: "push@example.org",
      PUBLIC_URL: "https://push.example.org",
      OIDC_ISSUER: "https://login.example.org",
      OIDC_CLIENT_ID: "pressbell",
    };
    expect(readConfig({ ...others, ...Object.fromEntries(await Promise.all(files)) })).toEqual(
      readConfig({ ...others, ...values }),
    );
    const short = await fileWith("short", "hunter2\n");
    expect(refusal({ SECRET_KEY_FILE: short })).toBe("Wrong setting: SECRET_KEY must have at least 32 characters.");
  });

  test("is refused beside the variable itself; an empty variable counts as unset", async () => {
    const file = await fileWith("both", key);
    expect(refusal({ SECRET_KEY: key, SECRET_KEY_FILE: file })).toBe(
      "Wrong setting: SECRET_KEY_FILE must not be set when SECRET_KEY is: remove one of the two.",
    );
    expect(readConfig({ SECRET_KEY: "", SECRET_KEY_FILE: file }).SECRET_KEY).toBe(key);
    expect(readConfig({ SECRET_KEY: key, SECRET_KEY_FILE: "" }).SECRET_KEY).toBe(key);
  });

  test("that is missing, a folder or empty is refused by name, all in one line", async () => {
    const environment = {
      SECRET_KEY_FILE: join(folder, "missing"),
      SMTP_URL_FILE: folder,
      METRICS_TOKEN_FILE: await fileWith("empty", "\n"),
      PORT: "x",
    };
    const unreadable = "must name a file that exists and that this user can read";
    expect(refusal(environment)).toBe(
      "Wrong setting: METRICS_TOKEN_FILE must name a file that is not empty; " +
        `SECRET_KEY_FILE ${unreadable} (ENOENT); SMTP_URL_FILE ${unreadable} (EISDIR); PORT must be a whole number.`,
    );
  });

  test("that was typed where its path belongs is not repeated in the message", () => {
    expect(refusal({ DATABASE_URL_FILE: "postgres://desk:hunter2@db/pressbell" })).not.toContain("hunter2");
  });
});

describe("a start with a wrong setting", () => {
  test("prints one line that names it and exits with 1, before it connects to a database", async () => {
    const { code, out, err } = await runHere(["start"], {
      PORT: "eighty",
      DATABASE_URL: "postgres://nowhere.invalid/x",
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe("Wrong setting: PORT must be a whole number.\n");
  });

  test("prints one line if the database cannot be reached", async () => {
    const settings = { DATABASE_URL: "postgres://127.0.0.1:1/pressbell", SECRET_KEY: "x".repeat(32) };
    const { code, err } = await runHere(["start"], settings);
    expect(code).toBe(1);
    expect(err).toMatch(/^The database cannot be used \(.*ECONNREFUSED.*\)\. Check DATABASE_URL and its server\.\n$/);
  });
});
