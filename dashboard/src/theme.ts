import {
  Alert,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Fieldset,
  type MantineColorsTuple,
  Modal,
  Paper,
  Tooltip,
} from "@mantine/core";

/** Petrol: white on 7, and 4 on the dark ground, have a contrast of over 4.5. */
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
  components: {
    // What is long in it scrolls or breaks, instead of making it wider than a phone. A title in the colour of its alert is
    // too pale on that colour's tint, yellow above all.
    Alert: Alert.extend({ styles: { body: { minWidth: 0 }, title: { color: "var(--mantine-color-text)" } } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: "lg", p: { base: "md", sm: "lg" } } }),
    Fieldset: Fieldset.extend({
      styles: { legend: { fontWeight: 650, fontSize: "var(--mantine-font-size-md)", padding: 0 } },
    }),
    Button: Button.extend({ defaultProps: { loaderProps: { type: "dots" } } }),
    Modal: Modal.extend({
      defaultProps: { centered: true, radius: "lg", closeButtonProps: { "aria-label": "Close" } },
    }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } }),
  },
});

/** What Mantine's own grey would make too pale to read (WCAG 1.4.3), and our ground. */
export const readable: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    // Mantine sets it for each scheme: one for both would lose.
    "--mantine-color-error": "var(--status-red)",
    "--mantine-color-dimmed": "#566064",
    "--mantine-color-placeholder": "#6b7478",
    "--mantine-color-text": "#15191b",
    "--mantine-color-red-text": "#b02323",
    "--mantine-color-yellow-light-color": "#7d4e00",
    "--page": "#f6f8f8",
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
  },
});
