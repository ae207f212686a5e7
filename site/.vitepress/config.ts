import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

const decisions = new URL("../pages/decisions/", import.meta.url);

/** The title of a page of decisions: its first heading. */
function titleOf(name: string): string {
  return readFileSync(new URL(name, decisions), "utf8").split("\n")[0]!.replace(/^# /, "");
}

/** A link with the text of the sidebar. */
const page = (text: string, name: string) => ({ text, link: `/${name}` });

// README's "Read on" has the same groups.
const sidebar = [
  {
    text: "Pressbell",
    items: [
      page("What it is", ""),
      page("Your first real site", "tutorial"),
      page("Changelog", "changelog"),
      page("Upgrade notes", "upgrade-notes"),
    ],
  },
  {
    text: "For editors",
    items: [
      page("Dashboard", "dashboard"),
      page("Accounts and roles", "accounts"),
      page("Ten questions", "questions"),
      page("Decision", "decision"),
      page("Feeds", "feeds"),
      page("Forecast", "forecast"),
      page("Guarantees", "guarantees"),
    ],
  },
  {
    text: "For developers",
    items: [
      page("API", "api"),
      page("Errors", "errors"),
      page("States", "states"),
      page("Clients", "client"),
      page("WordPress plugin", "wordpress"),
      page("Bridge for a CMS", "bridge"),
      page("MCP server for agents", "mcp"),
      page("Readers", "readers"),
      page("Soft prompt", "prompt"),
      page("Browser SDK", "sdk"),
      page("Browsers", "browsers"),
      page("I see no notification", "no-notification"),
    ],
  },
  {
    text: "For operators",
    items: [
      page("Install", "install"),
      page("Run", "run"),
      page("Monitor", "monitor"),
      page("Scale", "scale"),
      page("Back up", "back-up"),
      page("Upgrade", "upgrade"),
      page("Configuration", "configuration"),
      page("Limits", "limits"),
      page("Bad nights", "bad-nights"),
      page("Push services", "push-services"),
      page("Moving in and out", "moving"),
      page("Privacy", "privacy"),
      page("Security", "security"),
      page("Performance", "performance"),
    ],
  },
  {
    text: "For contributors",
    items: [
      page("Contributing", "contributing"),
      page("Glossary", "glossary"),
      page("Style of texts", "style"),
      page("The ledger", "contributors/ledger"),
      page("How pages and feeds are read", "contributors/reading"),
      page("Fault tests", "contributors/faults"),
      {
        text: "Decisions",
        collapsed: true,
        items: readdirSync(decisions).map((name) => page(titleOf(name), `decisions/${name.slice(0, -3)}`)),
      },
    ],
  },
];

export default defineConfig({
  title: "Pressbell",
  description: "Web-push campaigns for publishers, on your own machine",
  srcDir: "pages",
  outDir: "dist",
  cleanUrls: true,
  lastUpdated: false,
  themeConfig: { sidebar, outline: [2, 3], search: { provider: "local" } },
});
