/** How many stories a reader follows at most: `maxFollows` of the service, which refuses more. */
export const maxStories = 50;
