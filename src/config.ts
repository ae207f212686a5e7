import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { asksForPrimary, faultOfDatabaseUrl } from "./db/database-url.ts";
import { readAllowHosts } from "./egress/page/url-guard.ts";
import { readSmtpUrl } from "./egress/smtp.ts";
import { ConfigError } from "./errors.ts";
import { minSecretKeyCharacters } from "./secret-box.ts";
import { readSecretFiles } from "./secret-files.ts";
import { isVapidSubject } from "./vapid-subject.ts";

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const postgresUrl = z.string().superRefine((text, context) => {
  const message = faultOfDatabaseUrl(text);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const commaList = z.string().transform((list) =>
  list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

const pushServiceOrigins = commaList.pipe(
  z.array(
    z.string().refine(isHttpsOrigin, "must be a comma list of https origins such as https://push.example.org:8443"),
  ),
);

function isHttpsOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" && `${url.origin}/` === url.href;
}

const publicUrl = z
  .url({ protocol: /^https?$/, error: "must be an http(s) URL" })
  .refine((text) => !/[?#@]/.test(text), "must be an http(s) URL without a user name, ? and #");

const issuerUrl = z
  .url({ protocol: /^https$/, error: "must be an https URL" })
  .refine((text) => !/[?#@]/.test(text), "must be an https URL without a user name, ? and #");

const smtpRule =
  "must be smtps://USER:PASSWORD@HOST, or smtp://… with STARTTLS (?tls=optional where the server has none)";

const smtpServer = z.string().transform((text, context) => {
  const server = readSmtpUrl(text);
  if (server !== null) return server;
  context.addIssue({ code: "custom", message: smtpRule });
  return z.NEVER;
});

/** An e-mail sender: `push@example.org`, or `Example News <push@example.org>`. */
const sender = z
  .string()
  .regex(
    /^(?:[^<>@"\p{Cc}]+ <([^\s<>@",;]+@[^\s<>@",;]+)>|[^\s<>@",;]+@[^\s<>@",;]+)$/u,
    "must be an address, or a name and an address such as Example News <push@example.org>",
  );

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

function areAllowHosts(entries: string[]): boolean {
  try {
    readAllowHosts(entries);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether each entry is a host as in a Host header: a name, an IPv4 address, or an IPv6 address in brackets,
 * and perhaps `:port`.
 */
function areHosts(entries: string[]): boolean {
  return entries.every((entry) => URL.parse(`http://${entry}/`)?.pathname === "/" && /^[^/?#@\\]+$/.test(entry));
}

const plansRule = 'must be JSON such as {"free":{"audienceCap":1000},"unlimited":{}}';

const plans = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: plansRule });
      return z.NEVER;
    }
  })
  .pipe(
    z
      .record(
        z.string().min(1, plansRule),
        z.strictObject({ audienceCap: z.int(plansRule).min(0, plansRule).optional() }, plansRule),
        plansRule,
      )
      .refine((named) => Object.keys(named).length > 0, "must name at least one plan"),
  );

/**
 * Every setting: its environment variable, default and meaning. docs/configuration.md has the same list; a test
 * compares.
 */
export const settings = z.object({
  /** TCP port of the API and the dashboard. */
  PORT: wholeNumber(0, 65_535).default(8080),
  /** Address to listen on. */
  HOST: z.string().min(1).default("127.0.0.1"),
  /** TCP port of /metrics, and of a worker's health. Unset: metrics are on PORT, and answer this machine only. */
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  /** The bearer token that a request for /metrics must send, also from this machine. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, "must have at least 16 visible ASCII characters")
    .optional(),
  /** Where browsers and the CMS reach the service; a path prefix is allowed. */
  PUBLIC_URL: publicUrl.optional(),
  /** Further names that are accepted in the Host header, besides those of PUBLIC_URL and of this machine itself. */
  ALLOW_HOSTS_HEADER: commaList.refine(areHosts, "must be a comma list of host[:port]").default([]),
  /** A PostgreSQL server, version 15 or later. Unset: the embedded one in DATA_DIR. */
  DATABASE_URL: postgresUrl.optional(),
  /** The same database without PgBouncer in between: for migrations, imports and the delivery threads. */
  DATABASE_URL_DIRECT: postgresUrl.optional(),
  /** A standby of that database, which answers reports and exports. */
  DATABASE_URL_REPLICA: postgresUrl
    .refine((url) => faultOfDatabaseUrl(url) !== undefined || !asksForPrimary(url), "must name one host, a standby")
    .optional(),
  /** Folder of the embedded database and its secret key. */
  DATA_DIR: z.string().min(1).default("./data"),
  /**
   * The key that seals private keys and signs tokens. While it is being replaced, a comma-separated list, newest
   * first. With the embedded database it is generated once and stored in DATA_DIR.
   */
  SECRET_KEY: z
    .string()
    .min(minSecretKeyCharacters, `must have at least ${minSecretKeyCharacters} characters`)
    .optional(),
  /** The OTLP collector (HTTP) to which traces are sent, without /v1/traces. Unset: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http(s) URL" })
    .refine((text) => !/[?#@]/.test(text), "must be an http(s) URL without a user name, ? and #")
    .optional(),
  /** Headers for the collector, such as a key: `name=value,…`, percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(
      /^[\w-]+=[^=,\s][^,\s]*(,[\w-]+=[^=,\s][^,\s]*)*$/,
      "must be name=value pairs with commas between, percent-encoded",
    )
    .optional(),
  /** The name of this service in traces. */
  OTEL_SERVICE_NAME: z.string().min(1).default("pressbell"),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
  /** The format of the log: text for people, or JSON for programs. "auto": text on a terminal, and otherwise JSON. */
  LOG_FORMAT: z.enum(["auto", "json", "text"], "must be auto, json or text").default("auto"),
  /** Number of proxies in front whose X-Forwarded-For is trusted, or "true" for all. */
  TRUST_PROXY: z
    .string()
    .regex(/^(true|false|\d+)$/, "must be true, false or the number of proxies in front")
    .transform((value) => (value === "true" ? true : value === "false" ? false : Number(value)))
    .default(false),
  /** The VAPID `sub` (RFC 8292): mailto: or https:. Unset: mailto: of the tenant's owner. */
  VAPID_SUBJECT: z.string().refine(isVapidSubject, "must be a mailto: or https: address on a public name").optional(),
  /** Minutes by which a scheduled campaign may be sent late, after an outage or a pause. */
  GRACE_MINUTES: wholeNumber(0, 10_080).default(30),
  /** Plans by name; new tenants get the first. `audienceCap`: the most recipients of one send. */
  PLANS: plans.default({ unlimited: {} }),
  /** Retention of audit events, in days. */
  AUDIT_DAYS: wholeNumber(1, 3_650).default(365),
  /** Days after the end of a person's last membership for which their account is stored. */
  ACCOUNT_DAYS: wholeNumber(1, 3_650).default(30),
  /** Days after the end of a run for which its recipients, and what each of them did, are stored. */
  RECIPIENT_DAYS: wholeNumber(1, 90).default(7),
  /** Days after the end of a reader's consent for which the record of the consent is stored. */
  CONSENT_PROOF_DAYS: wholeNumber(1, 3_650).default(1_095),
  /** Days for which a member's autosaved draft is stored after its last change. */
  AUTOSAVED_DRAFT_DAYS: wholeNumber(1, 3_650).default(90),
  /**
   * Days without use after which a session of the dashboard ends. The schema (02-access.sql) ends every session after
   * 30.
   */
  SESSION_DAYS: wholeNumber(1, 30).default(7),
  /** The SMTP server for outgoing e-mail. Unset: no e-mail is sent, and people pass links on themselves. */
  SMTP_URL: smtpServer.optional(),
  /** The sender of e-mail. */
  MAIL_FROM: sender.optional(),
  /** The OpenID Connect provider with which members may sign in: the `issuer` of its discovery document. */
  OIDC_ISSUER: issuerUrl.optional(),
  /** The client that is registered for this service at the provider. */
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** The provider's name on the sign-in page: "Sign in with …". */
  OIDC_NAME: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(40, "must have at most 40 characters")
    .default("single sign-on"),
  /** The claim with a person's groups at the provider. Their roles follow from the groups. */
  OIDC_GROUPS_CLAIM: z.string().trim().min(1, "must not be empty").default("groups"),
  /** Number of delivery threads. */
  WORKERS: wholeNumber(1, 64).default(() => availableParallelism()),
  /**
   * The most messages of this process in flight at once, and so the most that can be sent twice if it is killed.
   * Unset: 10,000 for each delivery thread.
   */
  IN_FLIGHT_MAX: wholeNumber(16, 200_000).optional(),
  /**
   * The code that encrypts messages: a native helper, whose key agreements AVX-512 or OpenSSL computes, or Node.js.
   * "auto": the fastest that is possible.
   */
  ENCRYPTION: z.enum(["auto", "avx512", "openssl", "node"], "must be auto, avx512, openssl or node").default("auto"),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(600),
  FETCH_RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  /** Hosts `host[:port]` that the URL guard allows: for tests and intranets. */
  ALLOW_HOSTS: commaList.refine(areAllowHosts, "must be a comma list of host[:port]").default([]),
  /** Further push-service origins, besides FCM, Mozilla, Apple and Windows. */
  PUSH_SERVICES: pushServiceOrigins.default([]),
});

/** The settings, parsed once at the start; nothing else reads the environment. */
export type Config = Readonly<z.output<typeof settings>>;

/**
 * Reads the settings from `environment`, usually process.env, and from the files that its `…_FILE` variables name. An
 * empty variable counts as unset. Throws ConfigError with all wrong settings in one line. `secretKey`: whether
 * DATABASE_URL requires SECRET_KEY. A restore does not, because the backup has one.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
  { secretKey = "required" }: { secretKey?: "required" | "optional" } = {},
): Config {
  const { given, faults } = readSecretFiles(
    Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => (entry[1] ?? "") !== ""),
    ),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success || faults.length > 0) {
    const issues = parsed.success ? [] : parsed.error.issues;
    // A list with two wrong entries is reported once.
    const all = new Set([...faults, ...issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)]);
    throw new ConfigError(`Wrong setting: ${[...all].join("; ")}.`);
  }
  const config = { ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR) };
  if (config.DATABASE_URL !== undefined && config.SECRET_KEY === undefined && secretKey === "required") {
    throw new ConfigError("Wrong setting: SECRET_KEY must be set (32 characters or more) when DATABASE_URL is set.");
  }
  if (config.SMTP_URL !== undefined && (config.MAIL_FROM === undefined || config.PUBLIC_URL === undefined)) {
    const missing = config.MAIL_FROM === undefined ? "MAIL_FROM" : "PUBLIC_URL";
    throw new ConfigError(
      `Wrong setting: ${missing} must be set when SMTP_URL is: e-mails have a sender and link to this service.`,
    );
  }
  checkProvider(config);
  return config;
}

/**
 * Throws ConfigError if a provider is set without all its settings, so that the operator learns of it at the start,
 * and not from the first person who signs in.
 */
function checkProvider(config: Config): void {
  const names = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  const given = names.filter((name) => config[name] !== undefined);
  if (given.length === 0) return;
  const missing = [...names, "PUBLIC_URL" as const].filter((name) => config[name] === undefined);
  if (missing.length === 0) return;
  const why = "single sign-on needs issuer, client and secret, and the address to which the provider sends people back";
  throw new ConfigError(`Wrong setting: ${missing.join(", ")} must be set when ${given.join(", ")} is: ${why}.`);
}

/** Returns the host, as in a URL, at which this machine reaches a service with this HOST. */
export function hostHere(host: string): string {
  return inUrl(listensEverywhere(host) ? (host === "::" ? "::1" : "127.0.0.1") : host);
}

/** Returns a host name or an address as it is written in a URL. IPv6 addresses get brackets. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Returns whether a service with this HOST listens on every address of the machine. */
export function listensEverywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Returns PUBLIC_URL without a trailing slash, or `fallback` if unset: the prefix of all links to this service. */
export function publicBase(config: Config, fallback: string): string {
  return (config.PUBLIC_URL ?? fallback).replace(/\/+$/, "");
}
