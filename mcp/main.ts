import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createClient } from "../client/client.ts";
import manifest from "./package.json" with { type: "json" };
import { refuseSendingKey } from "./refuse-sending-key.ts";
import { readSettings } from "./settings.ts";
import { createMcpServer } from "./tools.ts";

/** `pressbell-mcp`: an MCP server on standard input and output, until the input ends. docs/mcp.md has its settings. */

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  // A failed call is repeated only once, because the agent's program waits for the start and for each tool.
  const client = createClient({ ...settings, retries: 1 });
  await refuseSendingKey(client);
  serveStdio(() => createMcpServer(client, { url: settings.url, version: manifest.version }), {
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  });
}

start().catch((error: Error) => {
  process.stderr.write(`The MCP server does not start.\n${error.message}\n`);
  process.exit(1);
});
