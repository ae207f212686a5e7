/** A backup, restore or move that cannot be done. The message says what to do; nothing was written. */
export class BackupError extends Error {}
