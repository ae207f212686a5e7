import { withTimeout } from "../with-timeout.ts";

/**
 * The stores of the worker in IndexedDB: `messages` that were shown, `receipts` that are not sent yet, and the
 * `subscription` that the service has. The first two keep a limited number of records for at most a week.
 */
type Store = "messages" | "receipts" | "subscription";
const maxRecords = { messages: 500, receipts: 200, subscription: 1 };
const maxAgeMs = 7 * 86_400_000;

/** The longest wait for IndexedDB, so that a notification is not held up. Some versions of Safari never answer. */
const limitMs = 3_000;

/** A stored record. `at`: the time at which it was written, in ms since 1970. */
export type Record<T> = T & { key: string; at: number };

/** Deletes expired and excess records, then adds one. Returns false if a record with this key already exists. */
export async function addRecord(store: Store, key: string, value: object = {}): Promise<boolean> {
  await transact(store, (records) => expire(records, maxRecords[store] - 1));
  try {
    await transact(store, (records) => records.add({ ...value, key, at: Date.now() }));
    return true;
  } catch (error) {
    if ((error as Error).name === "ConstraintError") return false;
    throw error;
  }
}

/** Writes a record, replacing one with the same key. */
export function putRecord(store: Store, key: string, value: object): Promise<unknown> {
  return transact(store, (records) => records.put({ ...value, key, at: Date.now() }));
}

/** Returns the oldest `count` records. */
export function readRecords<T>(store: Store, count: number): Promise<Record<T>[]> {
  return transact(store, (records) => records.index("at").getAll(null, count));
}

export function deleteRecords(store: Store, keys: string[]): Promise<unknown> {
  return transact(store, (records) => deleteAll(records, keys));
}

function deleteAll(records: IDBObjectStore, keys: IDBValidKey[]): undefined {
  for (const key of keys) records.delete(key);
}

function expire(records: IDBObjectStore, max: number): undefined {
  const byAge = records.index("at");
  const all = byAge.getAllKeys();
  all.onsuccess = () => deleteAll(records, all.result.slice(0, Math.max(0, all.result.length - max)));
  const old = byAge.getAllKeys(IDBKeyRange.upperBound(Date.now() - maxAgeMs));
  old.onsuccess = () => deleteAll(records, old.result);
}

/**
 * Runs `work` in a transaction with its own connection, because Safari closes the connections of a suspended worker.
 */
function transact<T>(store: Store, work: (records: IDBObjectStore) => IDBRequest<T> | undefined): Promise<T> {
  return withTimeout(
    openDatabase().then(
      (database) =>
        new Promise<T>((resolve, reject) => {
          const transaction = database.transaction(store, "readwrite");
          const request = work(transaction.objectStore(store));
          const end = (settle: () => void) => {
            database.close();
            settle();
          };
          transaction.oncomplete = () => end(() => resolve(request?.result as T));
          transaction.onabort = () => end(() => reject(transaction.error));
        }),
    ),
    limitMs,
  );
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("pressbell", 1);
    request.onupgradeneeded = () => {
      for (const store of Object.keys(maxRecords)) {
        request.result.createObjectStore(store, { keyPath: "key" }).createIndex("at", "at");
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
