/** The error for a backup, restore or move that is not possible. The message says what to do. */
export class BackupError extends Error {}
