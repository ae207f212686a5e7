/** The most stories that a reader can follow. The service refuses more (`maxFollows`). */
export const maxStories = 50;
