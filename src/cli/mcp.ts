import type { AloneCommand } from "./command.ts";

export const mcp: AloneCommand = {
  words: ["mcp"],
  summary: "Serve agents: they check and draft, a person sends",
  usage:
    "mcp\n" +
    "      an MCP server on standard input and output: agents check and draft, a person sends (docs/mcp.md). Reads\n" +
    "      PRESSBELL_URL, PRESSBELL_KEY_FILE and TENANT_ID",
  options: {},
  // The user of this command may be on another machine than the service, or be another user there.
  readsNoSettings: true,
  async runAlone() {
    // The MCP server is a separate package (docs/decisions/0019) that does not depend on src/. It starts when it is
    // loaded, as it does with npx.
    await import(new URL("../../mcp/main.ts", import.meta.url).href);
  },
};
