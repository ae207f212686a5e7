/**
 * The colours of charts and bars. Their contrast to the background is at least 3 to 1 (WCAG 1.4.11), which
 * test/dashboard/chart-colours.test.ts checks. On the page they are variables, `--series-NAME`.
 */
export const chartColours = {
  light: {
    main: "#178088",
    second: "#065a60",
    first: "#2f8d94",
    grey: "#6b767b",
    red: "#d92f2f",
    yellow: "#946200",
    violet: "#7048e8",
    orange: "#c2410c",
  },
  dark: {
    main: "#4fa9af",
    second: "#b9e3e6",
    first: "#3d9aa1",
    grey: "#929da2",
    red: "#ff6b6b",
    yellow: "#fab005",
    violet: "#a78bfa",
    orange: "#ff922b",
  },
} as const;

export type ChartColour = keyof (typeof chartColours)["light"];

/** Returns the colour of a series, in the colour scheme of the page. */
export const seriesColour = (name: ChartColour) => `var(--series-${name})`;

/** Returns the colours of a scheme as variables of the page. */
export const seriesVariables = (scheme: keyof typeof chartColours): Record<string, string> =>
  Object.fromEntries(Object.entries(chartColours[scheme]).map(([name, colour]) => [`--series-${name}`, colour]));
