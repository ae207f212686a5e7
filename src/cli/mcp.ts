import type { AloneCommand } from "./command.ts";

export const mcp: AloneCommand = {
  words: ["mcp"],
  summary: "Serve agents: they check and draft, a person sends",
  usage:
    "mcp\n" +
    "      an MCP server on standard input and output: agents check and draft, a person sends (docs/mcp.md). Reads\n" +
    "      PRESSBELL_URL, PRESSBELL_KEY_FILE and TENANT_ID",
  options: {},
  // Who runs it need not be on the service's machine, nor its user.
  readsNoSettings: true,
  async runAlone() {
    // A package of its own (docs/decisions/0019), which knows nothing of src/: started by its address, as it starts by
    // npx.
    await import(new URL("../../mcp/main.ts", import.meta.url).href);
  },
};
