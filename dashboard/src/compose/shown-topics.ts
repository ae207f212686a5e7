/** The most topics that are shown at once. If there are more, a person searches for names. */
export const shownTopics = 12;
