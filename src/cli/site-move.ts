import { exportSite } from "../backup/export-site.ts";
import { importSite } from "../backup/import-site.ts";
import { expectReadable } from "./backup.ts";
import { type Command, print } from "./command.ts";
import { operatorOfSite, operatorOfTenant } from "./operator.ts";
import { passphraseOptions, passphraseUsage, readPassphrase } from "./passphrase.ts";
import { createSecretFile } from "./secret-file.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const siteExport: Command = {
  words: ["site", "export"],
  summary: "Write all of a site to a file, for another installation",
  usage:
    `site export --site ID FILE ${passphraseUsage} [--json]\n` +
    "      all of a site for another installation: key pair, readers, campaigns, runs, topics, settings, feeds. It sends no\n" +
    "      more here (docs/moving.md)",
  options: { site: text, ...passphraseOptions, json: flag },
  required: ["site"],
  operands: ["FILE"],
  async run(app, values, [path], { stopRequested }) {
    const passphrase = await readPassphrase(values);
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const output = await createSecretFile(path!, "FILE");
    const stop = new AbortController();
    void stopRequested.then(() => stop.abort());
    const { bytes } = await exportSite(app, actor, { siteId, passphrase, output, path: path!, signal: stop.signal });
    print(values, { siteId, file: path, bytes, next: "pressbell site import, on the other installation" });
  },
};

export const siteImport: Command = {
  words: ["site", "import"],
  summary: "Read a site from such a file",
  usage:
    `site import --tenant ID FILE ${passphraseUsage} [--json]\n` +
    "      takes the file of site export in; the site is quarantined until: quarantine release --site ID",
  options: { tenant: text, ...passphraseOptions, json: flag },
  required: ["tenant"],
  operands: ["FILE"],
  async run(app, values, [file]) {
    const passphrase = await readPassphrase(values);
    const { actor } = await operatorOfTenant(app, values.tenant);
    await expectReadable(file!);
    const imported = await importSite(app, actor, { file: file!, passphrase });
    print(values, { ...imported, next: `pressbell quarantine release --site ${imported.siteId}` });
  },
};
