/** The most connections to the database of one delivery thread. */
export const connectionsOfThread = 6;
