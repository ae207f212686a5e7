/** The topics of the demo's newspaper. A share of 0.4 means that four of ten subscribers have the topic. */
export const topics = [
  { name: "Sport", share: 0.4 },
  { name: "Weather", share: 0.25 },
  { name: "Business", share: 0.15 },
] as const;

/** A story of the past weeks. `topic`: the only topic that it goes to; absent: it goes to everybody. */
export type PastStory = { title: string; body: string; topic?: (typeof topics)[number]["name"] };

const of = (topic: PastStory["topic"], ...stories: [title: string, body: string][]): PastStory[] =>
  stories.map(([title, body]) => ({ title, body, ...(topic === undefined ? {} : { topic }) }));

/** The stories, in no order. The plan picks from them. */
export const pastStories: PastStory[] = [
  ...of(
    undefined,
    ["Council agrees on the budget after nine hours", "Schools get more, the new car park has to wait."],
    ["Tram line 4 stops for three weeks", "Buses replace it between the station and the university from Monday."],
    ["Old harbour cranes become a monument", "They will be open to visitors from next spring."],
    ["Fire in the market hall, no one is hurt", "The hall stays closed today. What is known so far."],
    ["Rents rise more slowly than last year", "The new index shows where it is cheapest to live."],
    ["Hospital opens its new emergency ward", "Waiting times are to be half as long."],
    ["Power cut in the northern districts", "Four thousand households were without electricity for an hour."],
    ["The river bath reopens after ten years", "The water is clean enough to swim, says the city."],
    ["Teachers strike on Thursday", "Which schools are closed, and what parents can do."],
    ["Mayor will not stand again", "She named no successor. The election is in autumn."],
    ["Bus fares stay as they are", "The transport board rejects the increase by one vote."],
    ["Two thousand trees for the ring road", "Planting begins in November between the bridges."],
    ["Library to open on Sundays", "The trial lasts a year, without extra staff."],
    ["Bomb from the war found at the station", "Trains stop from noon. Six thousand people have to leave their homes."],
    ["Station is open again, trains run", "The bomb was made safe at half past four."],
    ["Bakery of the year is in the old town", "Three generations, one oven, and a queue around the corner."],
    ["University gets a chair for river research", "It is paid for twenty years."],
    ["Police look for witnesses after a robbery", "Two men fled on bicycles towards the park."],
    ["New bridge passes its load test", "Forty lorries stood on it at once."],
    ["City sells the old post office", "A school for music will move in."],
  ),
  ...of(
    "Sport",
    ["Last-minute goal sends City through", "Two to one after extra time: the cup final is at home."],
    ["Rowers win gold on the river", "The eight was ahead from the first stroke."],
    ["Goalkeeper stays until 2030", "He turned two larger clubs down."],
    ["Marathon: the first woman after two hours thirty", "All results and the pictures of the day."],
    ["Coach leaves after five defeats", "His assistant takes over until Sunday's match."],
    ["Hockey: the derby ends in a draw", "Seven goals in the last third."],
    ["Stadium gets a roof", "Building begins when the season ends."],
  ),
  ...of(
    "Weather",
    ["Storm warning for tonight", "Gusts of 100 km/h from ten. Keep away from the parks."],
    ["First snow down to the valley", "Roads above 400 metres are slippery this morning."],
    ["Heat until the weekend", "The city opens its cool rooms. Thunderstorms on Saturday."],
    ["River rises above the second mark", "The lower quay is closed."],
    ["Fog: flights are late", "It clears towards noon."],
  ),
  ...of(
    "Business",
    ["Shipyard hires two hundred people", "The order books are full until 2031."],
    ["Department store closes after ninety years", "The last day of sale is in March."],
    ["Market square gets a farmers' shop", "Twelve farms sell there without a middleman."],
    ["Brewery stops using glass of its own", "From spring the bottles are those of all others."],
  ),
];
