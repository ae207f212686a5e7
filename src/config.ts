import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { readAllowHosts } from "./egress/page/url-guard.ts";
import { readSmtpUrl } from "./egress/smtp.ts";
import { isVapidSubject } from "./vapid-subject.ts";

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL");

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

const smtpRule =
  "must be smtps://USER:PASSWORD@HOST, or smtp://… with STARTTLS (?tls=optional where the server has none)";

const smtpServer = z.string().transform((text, context) => {
  const server = readSmtpUrl(text);
  if (server !== null) return server;
  context.addIssue({ code: "custom", message: smtpRule });
  return z.NEVER;
});

/** `push@example.org`, or `Example News <push@example.org>`. */
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

/** Every setting: its name in the environment, its default and its meaning. docs/configuration.md says the same. */
export const settings = z.object({
  /** TCP port of the API and the dashboard. */
  PORT: wholeNumber(0, 65_535).default(8080),
  /** Address to listen on. */
  HOST: z.string().min(1).default("127.0.0.1"),
  /** Where browsers and the CMS reach the service; a path prefix is allowed. */
  PUBLIC_URL: publicUrl.optional(),
  /** Any PostgreSQL from 15 on. Unset: the embedded one in DATA_DIR. */
  DATABASE_URL: postgresUrl.optional(),
  /** The same database without PgBouncer between, for prepared statements: the delivery threads use it. */
  DATABASE_URL_DIRECT: postgresUrl.optional(),
  /** Folder of the embedded database and of the secret key that goes with it. */
  DATA_DIR: z.string().min(1).default("./data"),
  /** Seals private keys and signs tokens. Made once and kept in DATA_DIR with the embedded database. */
  SECRET_KEY: z.string().min(32, "must have at least 32 characters").optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
  /** Proxies in front whose X-Forwarded-For is believed: a count, or "true". */
  TRUST_PROXY: z
    .string()
    .regex(/^(true|false|\d+)$/, "must be true, false or the number of proxies in front")
    .transform((value) => (value === "true" ? true : value === "false" ? false : Number(value)))
    .default(false),
  /** The VAPID `sub` (RFC 8292): mailto: or https:. Unset: mailto: of the tenant's owner. */
  VAPID_SUBJECT: z.string().refine(isVapidSubject, "must be a mailto: or https: address on a public name").optional(),
  /** Minutes that a missed or held schedule may still fire late. */
  GRACE_MINUTES: wholeNumber(0, 10_080).default(30),
  /** Plans by name; the first is a new tenant's. `audienceCap`: recipients of one send. */
  PLANS: plans.default({ unlimited: {} }),
  /** Days that the audit log keeps. */
  AUDIT_DAYS: wholeNumber(1, 3_650).default(365),
  /** The server that takes e-mail. Unset: none is sent, and links are handed over. */
  SMTP_URL: smtpServer.optional(),
  /** Whom e-mail comes from. */
  MAIL_FROM: sender.optional(),
  /** Threads that deliver. */
  WORKERS: wholeNumber(1, 64).default(() => availableParallelism()),
  /** Messages of this process in flight at once, and so the most that may be sent a second time when it is killed. */
  IN_FLIGHT_MAX: wholeNumber(16, 20_000).default(500),
  /** What encrypts messages: a native helper where it can be built (auto), or always Node.js. */
  ENCRYPTION: z.enum(["auto", "node"], "must be auto or node").default("auto"),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(600),
  FETCH_RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  /** Hosts `host[:port]` that the fetch guard lets through: tests and intranets. */
  ALLOW_HOSTS: commaList.refine(areAllowHosts, "must be a comma list of host[:port]").default([]),
  /** Further push-service origins, beside FCM, Mozilla, Apple and Windows. */
  PUSH_SERVICES: pushServiceOrigins.default([]),
});

/** The settings, parsed once at the start; nothing else reads the environment. */
export type Config = Readonly<z.output<typeof settings>>;

/** The reason why a start stops: one line that names the setting. */
export class ConfigError extends Error {}

/**
 * Reads the settings from `environment` (usually process.env; an empty variable counts as unset).
 * Throws ConfigError that names every wrong setting in one line.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    // A list with two wrong members is one wrong setting.
    const faults = new Set(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
    throw new ConfigError(`Wrong setting: ${[...faults].join("; ")}.`);
  }
  const config = { ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR) };
  if (config.DATABASE_URL !== undefined && config.SECRET_KEY === undefined) {
    throw new ConfigError("Wrong setting: SECRET_KEY must be set (32 characters or more) when DATABASE_URL is set.");
  }
  if (config.SMTP_URL !== undefined && (config.MAIL_FROM === undefined || config.PUBLIC_URL === undefined)) {
    const missing = config.MAIL_FROM === undefined ? "MAIL_FROM" : "PUBLIC_URL";
    throw new ConfigError(
      `Wrong setting: ${missing} must be set when SMTP_URL is: letters have a sender and lead here.`,
    );
  }
  return config;
}

/** Returns PUBLIC_URL without a trailing slash, or `fallback` if unset: the prefix of all links to this service. */
export function publicBase(config: Config, fallback: string): string {
  return (config.PUBLIC_URL ?? fallback).replace(/\/+$/, "");
}
