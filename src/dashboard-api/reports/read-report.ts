import type { App } from "../../app.ts";

/** Runs `work`, which only reads, on the replica if one can be used (db/replica.ts), or else on the primary. */
export function readReport<T>(app: App, work: (app: App) => Promise<T>): Promise<T> {
  if (app.replica === undefined) return work(app);
  return app.replica.read(app.db, (db) => work({ ...app, db }));
}
