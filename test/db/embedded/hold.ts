import { leaseEmbeddedPostgres } from "../../../src/db/embedded/lease.ts";

// `node hold.ts DATA_DIR`: a command that needs the database. Prints its connection as one line of JSON, or what
// went wrong; gives the lease back when its stdin ends.
try {
  const lease = await leaseEmbeddedPostgres(process.argv[2]!);
  process.stdout.write(`${JSON.stringify(lease.connection)}\n`);
  process.stdin.resume().once("end", async () => {
    await lease.release();
    process.exit(0);
  });
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: String(error) })}\n`);
  process.exit(1);
}
