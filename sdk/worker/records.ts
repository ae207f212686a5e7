import { within } from "../within.ts";

/**
 * What the worker keeps in IndexedDB: `messages` that were shown, `receipts` that were not sent yet, and the
 * `subscription` that the service knows. The first two are bounded, in number and to a week.
 */
type Store = "messages" | "receipts" | "subscription";
const mostOf = { messages: 500, receipts: 200, subscription: 1 };
const keptMs = 7 * 86_400_000;

/** Some versions of Safari never answer: a nudge does not wait for its bookkeeping longer than this. */
const limitMs = 3_000;

/** A record, and when it was written, in milliseconds since 1970. */
export type Record<T> = T & { key: string; at: number };

/** Adds a record and drops what is too old or too many. False where there is one with this key already. */
export async function addRecord(store: Store, key: string, value: object = {}): Promise<boolean> {
  await transact(store, (records) => prune(records, mostOf[store] - 1));
  try {
    await transact(store, (records) => records.add({ ...value, key, at: Date.now() }));
    return true;
  } catch (error) {
    if ((error as Error).name === "ConstraintError") return false;
    throw error;
  }
}

/** Writes a record over the one with the same key. */
export function putRecord(store: Store, key: string, value: object): Promise<unknown> {
  return transact(store, (records) => records.put({ ...value, key, at: Date.now() }));
}

/** The oldest `count` records. */
export function readRecords<T>(store: Store, count: number): Promise<Record<T>[]> {
  return transact(store, (records) => records.index("at").getAll(null, count));
}

export function removeRecords(store: Store, keys: string[]): Promise<unknown> {
  return transact(store, (records) => removeAll(records, keys));
}

function removeAll(records: IDBObjectStore, keys: IDBValidKey[]): undefined {
  for (const key of keys) records.delete(key);
}

function prune(records: IDBObjectStore, most: number): undefined {
  const byAge = records.index("at");
  const all = byAge.getAllKeys();
  all.onsuccess = () => removeAll(records, all.result.slice(0, Math.max(0, all.result.length - most)));
  const old = byAge.getAllKeys(IDBKeyRange.upperBound(Date.now() - keptMs));
  old.onsuccess = () => removeAll(records, old.result);
}

/** Opened anew each time: Safari drops connections of a worker that slept. */
function transact<T>(store: Store, work: (records: IDBObjectStore) => IDBRequest<T> | undefined): Promise<T> {
  return within(
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
      for (const store of Object.keys(mostOf)) {
        request.result.createObjectStore(store, { keyPath: "key" }).createIndex("at", "at");
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
