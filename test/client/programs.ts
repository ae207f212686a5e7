import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validFields } from "../campaigns/fixture.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import type { ClientFixture } from "./fixture.ts";

/** The text of a program for each language. */
export type Texts = { PHP: string; Python: string };
export type Name = keyof Texts;
type Language = { program: string[]; file: string; extension: string; fence: string; methods: RegExp; start: string };

export const pathOf = (file: string) => fileURLToPath(new URL(`../../client/${file}`, import.meta.url));

/**
 * The languages. `start` defines `pressbell`, `fields`, `show` (prints JSON) and `thrown` (the parts of an error that
 * tests compare).
 */
export const languages: Record<Name, Language> = {
  PHP: {
    // Arguments are in traces, as on a development server.
    program:
      "php -d display_errors=stderr -d zend.exception_ignore_args=0 -d zend.exception_string_param_max_len=99".split(
        " ",
      ),
    file: "php/Pressbell.php",
    extension: "php",
    fence: "php",
    methods: /^ {4}public function ([a-z]\w+)/gm,
    start: `<?php
      require getenv("CLIENT");
      use Pressbell\\{Client, ConnectionError, PressbellError, WaitTimeout};
      $options = json_decode(getenv("OPTIONS"), true) + ["firstRetrySeconds" => 0.001];
      $fields = json_decode(getenv("FIELDS"), true);
      $id = getenv("ID");
      function show($value) { echo json_encode($value); }
      function thrown($call) {
        try { $call(); } catch (PressbellError $e) {
          return [get_class($e), $e->errorCode, $e->status, $e->faults, $e->details, $e->retryAfterSeconds,
            $e->requestId, $e->getMessage()];
        } catch (\\Exception $e) { return [get_class($e), $e->getMessage()]; }
      }
      function connect($more = []) {
        global $options;
        return new Client(...$more + $options + [
          "url" => getenv("PRESSBELL_URL"), "apiKey" => getenv("PRESSBELL_KEY"), "tenantId" => getenv("TENANT_ID")]);
      }
      $pressbell = connect();
    `,
  },
  Python: {
    program: ["python3", "-B"],
    file: "python/pressbell.py",
    extension: "py",
    fence: "py",
    methods: /^ {4}def ([a-z]\w+)/gm,
    start: `
import json, os, re, time
from datetime import datetime, timedelta, timezone
import pressbell as module
snake = lambda name: re.sub("[A-Z]", lambda match: "_" + match[0].lower(), name)
given = json.loads(os.environ["OPTIONS"])
options = {"first_retry_seconds": 0.001, **{snake(name): value for name, value in given.items()}}
fields = json.loads(os.environ["FIELDS"])
id = os.environ["ID"]
show = lambda value: print(json.dumps(value))
def thrown(call):
    try:
        call()
    except module.PressbellError as e:
        return ["Pressbell\\\\" + type(e).__name__, e.code, e.status, e.faults, e.details, e.retry_after_seconds,
            e.request_id, str(e)]
    except Exception as e:
        return [("Pressbell\\\\" if type(e).__module__ == "pressbell" else "") + type(e).__name__, str(e)]
def connect(**more):
    environ = os.environ
    own = {"url": environ["PRESSBELL_URL"], "api_key": environ["PRESSBELL_KEY"], "tenant_id": environ["TENANT_ID"]}
    return module.Client(**{**own, **options, **more})
pressbell = connect()
`,
  },
};

/** All languages, and those that this machine has. CI installs both (.ci/languages). */
export const names = Object.keys(languages) as Name[];
export const installed = names.filter(
  (name) => spawnSync(languages[name].program[0]!, ["--version"]).error === undefined,
);

/**
 * The setting of a program. `id` is that of the campaign or run in its calls. `options` are those of the client, as PHP
 * names them.
 */
export type Setting = {
  id?: string;
  fields?: Record<string, unknown>;
  options?: Record<string, unknown>;
  apiKey?: string;
  otherTenant?: string;
};

/** Runs a program unchanged in a process, with the variables that `start` and the examples of the docs read. */
export async function runText(
  fixture: ClientFixture,
  name: Name,
  text: string,
  setting: Setting = {},
): Promise<{ stdout: string; stderr: string; isFailed: boolean }> {
  const { program, file, extension } = languages[name];
  const { tenantId, siteId, apiKey } = fixture.publisher;
  const folder = await mkdtemp(join(tmpdir(), "pressbell-languages-"));
  afterFile(() => rm(folder, { recursive: true }));
  const script = join(folder, `program.${extension}`);
  await writeFile(script, text);
  const env = {
    PATH: process.env.PATH,
    CLIENT: pathOf(file),
    PYTHONPATH: pathOf("python"),
    PRESSBELL_URL: fixture.url,
    PRESSBELL_KEY: setting.apiKey ?? apiKey,
    TENANT_ID: tenantId,
    SITE_ID: siteId,
    ID: setting.id ?? "",
    OTHER_TENANT: setting.otherTenant ?? "",
    FIELDS: JSON.stringify({ ...validFields, siteId, ...setting.fields }),
    OPTIONS: JSON.stringify(setting.options ?? {}),
  } as unknown as NodeJS.ProcessEnv;
  const [command, ...args] = program;
  return new Promise((resolve) => {
    execFile(command!, [...args, script], { env }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, isFailed: error !== null }),
    );
  });
}
