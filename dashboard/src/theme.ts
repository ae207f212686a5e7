import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { seriesVariables } from "./components/chart-colours.ts";
import { words } from "./words/words.ts";

/** Shades of petrol. White on shade 7, and shade 4 on the dark background, have a contrast of over 4.5 to 1. */
const petrol: MantineColorsTuple = [
  "#e8f6f7",
  "#d3e9eb",
  "#a6d3d6",
  "#76bcc1",
  "#4fa9af",
  "#2f9299",
  "#178088",
  "#0b6e75",
  "#065a60",
  "#02464b",
];

const systemFonts = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** The label is read when a dialog or notice is shown, because this module loads before the words. */
const closeButton = {
  get "aria-label"() {
    return words.components.close;
  },
};

export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: 7,
  colors: { petrol },
  fontFamily: systemFonts,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: { fontFamily: systemFonts, fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // These are plain objects, because `extend` would load each of these components with the first page.
  components: {
    // `minWidth`: long content scrolls or wraps, and does not make the alert wider than a phone. The title does not
    // have the colour of its alert, because that has too little contrast on the alert's tint, most of all yellow.
    Alert: { styles: { body: { minWidth: 0 }, title: { color: "var(--mantine-color-text)" } } },
    Paper: { defaultProps: { withBorder: true, radius: "lg", p: { base: "md", sm: "lg" } } },
    Fieldset: {
      styles: { legend: { fontWeight: 650, fontSize: "var(--mantine-font-size-md)", padding: 0 } },
    },
    // A person may write text that runs from right to left, whatever the language of the page. Mantine puts `dir` on
    // the element around the input, where it has no effect on the text.
    TextInput: { defaultProps: { attributes: { input: { dir: "auto" } } } },
    Textarea: { defaultProps: { attributes: { input: { dir: "auto" } } } },
    // A badge is as wide as its words. A column or a line makes room for it.
    Badge: { styles: { root: { minWidth: "max-content" } } },
    Button: { defaultProps: { loaderProps: { type: "dots" } } },
    Modal: {
      defaultProps: { centered: true, radius: "lg", closeButtonProps: closeButton },
    },
    // Mantine's grey for the message has too little contrast.
    Notification: {
      defaultProps: { closeButtonProps: closeButton },
      styles: { description: { color: "var(--mantine-color-dimmed)" } },
    },
  },
});

/** The page background, and colours with enough contrast (WCAG 1.4.3) where Mantine's greys have too little. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    // This is set for each scheme, as Mantine does. Mantine would override one value for both.
    "--mantine-color-error": "var(--status-red)",
    "--mantine-color-dimmed": "#566064",
    "--mantine-color-placeholder": "#6b7478",
    "--mantine-color-text": "#15191b",
    "--mantine-color-red-text": "#b02323",
    "--mantine-color-yellow-light-color": "#7d4e00",
    "--page": "#f6f8f8",
    ...seriesVariables("light"),
  },
  dark: {
    "--mantine-color-error": "var(--status-red)",
    "--mantine-color-dimmed": "#a3adb1",
    "--mantine-color-placeholder": "#929da2",
    "--mantine-color-text": "#e7ebec",
    "--mantine-color-body": "#1b2023",
    "--mantine-color-default": "#22282b",
    "--mantine-color-default-border": "#363e42",
    "--mantine-color-dark-4": "#363e42",
    "--mantine-color-dark-5": "#2a3033",
    "--mantine-color-dark-6": "#22282b",
    "--mantine-color-dark-7": "#1b2023",
    "--mantine-color-petrol-text": "#4fa9af",
    "--page": "#14181a",
    ...seriesVariables("dark"),
  },
});
