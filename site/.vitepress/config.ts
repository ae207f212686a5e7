import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

const decisions = new URL("../pages/decisions/", import.meta.url);

/** The title of a page of decisions: its first heading. */
function titleOf(name: string): string {
  return readFileSync(new URL(name, decisions), "utf8").split("\n")[0]!.replace(/^# /, "");
}

/** A link with the text of the sidebar. */
const page = (text: string, name: string) => ({ text, link: `/${name}` });

// README's "Documentation" has the same groups.
const sidebar = [
  {
    text: "Pressbell",
    items: [page("What it is", ""), page("Changelog", "changelog"), page("Upgrade notes", "upgrade")],
  },
  {
    text: "For editors",
    items: [
      page("Dashboard", "dashboard"),
      page("Guarantees", "guarantees"),
      page("Decision", "decision"),
      page("Forecast", "forecast"),
      page("Feeds", "feeds"),
    ],
  },
  {
    text: "For developers",
    items: [
      page("API", "api"),
      page("JavaScript client", "client"),
      page("WordPress plugin", "wordpress"),
      page("Bridge for a CMS", "bridge"),
      page("Privacy", "privacy"),
      page("MCP server for agents", "mcp"),
      page("Errors", "errors"),
      page("Readers", "readers"),
      page("Browsers", "browsers"),
      page("Browser SDK", "sdk"),
    ],
  },
  {
    text: "For operators",
    items: [
      page("Operations", "operations"),
      page("Moving in and out", "moving"),
      page("Bad nights", "bad-nights"),
      page("Configuration", "configuration"),
      page("Performance", "performance"),
      page("Security", "security"),
    ],
  },
  {
    text: "For contributors",
    items: [
      page("Contributing", "contributing"),
      page("Glossary", "glossary"),
      page("States", "states"),
      page("Fault tests", "faults"),
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
