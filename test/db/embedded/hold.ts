import { leaseEmbeddedPostgres } from "../../../src/db/embedded/lease.ts";

// `node hold.ts DATA_DIR`: a process that needs the database. Prints its connection, or the error, as one line of JSON.
// Releases the lease when its stdin ends.
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
