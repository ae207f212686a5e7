import { renderUnicodeCompact } from "uqr";
import { publicBase } from "../config.ts";
import { createTestLink } from "../subscribers/test-devices.ts";
import { readInstallSnippet } from "../tenants/sites/install-snippet.ts";
import { type Command, forOption, print } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const siteSnippet: Command = {
  words: ["site", "snippet"],
  usage: "site snippet --site ID [--json]\n      the two lines that install Pressbell on the site",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const { HOST, PORT, PUBLIC_URL } = app.config;
    if (PUBLIC_URL === undefined) app.log.warn("PUBLIC_URL is not set: these lines work on this machine only");
    const base = publicBase(app.config, `http://${HOST}:${PORT}`);
    const snippet = await readInstallSnippet(app, actor, { siteId, base });
    if (values.json === true) return print(values, snippet);
    process.stdout.write(
      `Into each page of the site:\n\n  ${snippet.page}\n\n` +
        `Into a file at the site's root, ${snippet.workerFile}:\n\n  ${snippet.worker}\n`,
    );
  },
};

export const testDeviceLink: Command = {
  words: ["test-device", "link"],
  usage:
    "test-device link --site ID --label NAME [--json]\n" +
    "      a link and its QR code: the browser that opens it becomes a test device",
  options: { site: text, label: text, json: flag },
  required: ["site", "label"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const input = { siteId, label: String(values.label) };
    const made = await forOption({ label: "label" }, () => createTestLink(app, actor, input));
    if (values.json === true) return print(values, made);
    process.stdout.write(
      `Open this on the device before ${made.expiresAt}:\n\n  ${made.link}\n\n${renderUnicodeCompact(made.link)}\n`,
    );
  },
};
