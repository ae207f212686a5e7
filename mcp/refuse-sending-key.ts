import { type Client, PressbellError } from "../client/client.ts";

/** The nil UUID (RFC 9562, 5.9), which no campaign has. */
const nilId = "00000000-0000-0000-0000-000000000000";

/**
 * Throws Error unless the service refuses sends with the client's key. The tools send nothing, but an agent with a
 * shell can read the key. Asks the service to send a campaign that does not exist, because only the service knows the
 * key's scopes. Every answer except `scope_missing` counts as a key that may send, and so does no answer.
 */
export async function refuseSendingKey(client: Client): Promise<void> {
  const error = await client.campaigns.send(nilId).then(
    () => undefined,
    (error: unknown) => error,
  );
  const code = error instanceof PressbellError ? error.code : undefined;
  if (code === "scope_missing") return;
  if (code === "not_found")
    throw new Error("This API key may send. Create one for the agent, with the scopes preview, draft and read only.");
  const reason = error instanceof Error ? error.message : "it has taken a send";
  throw new Error(`What this API key may do cannot be read from the service: ${reason}`);
}
