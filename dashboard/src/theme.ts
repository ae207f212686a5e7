import { Button, createTheme, type MantineColorsTuple, Modal, Paper, Tooltip } from "@mantine/core";

/** Petrol: 7 on white and 4 on the dark ground have a contrast of over 4.5. */
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
  primaryShade: { light: 7, dark: 4 },
  colors: { petrol },
  autoContrast: true,
  luminanceThreshold: 0.28,
  fontFamily: systemFonts,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: { fontFamily: systemFonts, fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: "lg", p: { base: "md", sm: "lg" } } }),
    Button: Button.extend({ defaultProps: { loaderProps: { type: "dots" } } }),
    Modal: Modal.extend({
      defaultProps: { centered: true, radius: "lg", closeButtonProps: { "aria-label": "Close" } },
    }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } }),
  },
});
