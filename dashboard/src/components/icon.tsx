/** SVG paths on a grid of 20 × 20, for a stroke width of 1.6. */
const paths = {
  overview: "M3 10.5 10 4l7 6.5M5 9v7h10V9",
  compose: "M4 16h3l8.5-8.5-3-3L4 13v3ZM11 6l3 3",
  campaigns: "M4 5h12M4 10h12M4 15h7",
  readers:
    "M7.5 9.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM2.5 16c0-2.6 2.2-4.3 5-4.3s5 1.7 5 4.3M13 4.3a2.6 2.6 0 0 1 0 5M14.6 12c1.8.6 2.9 2 2.9 4",
  integrations: "M8 4v3.5M12 4v3.5M6 7.5h8v2.8a4 4 0 0 1-8 0V7.5ZM10 14.3V17",
  members: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.4-2.8 2.9-4.5 6-4.5s5.600 1.700 6 4.500",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  bell: "M10 3.500a4.500 4.500 0 0 0-4.500 4.500v2.800L4 13.500h12l-1.500-2.700V8A4.500 4.500 0 0 0 10 3.500ZM8.300 15.500a1.800 1.800 0 0 0 3.400 0",
  warning: "M10 4 3 16h14L10 4ZM10 8.500v3.500M10 14.200v.1",
  check: "m4.500 10.500 3.500 3.500 7.500-8",
  cross: "m5.500 5.500 9 9M14.500 5.500l-9 9",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 9.300v4M10 6.700v.1",
  up: "M10 16V4.500M5.500 9 10 4.500 14.500 9",
  down: "M10 4v11.500M5.500 11l4.500 4.500 4.500-4.500",
  clock: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6v4.200l2.700 1.600",
  send: "M17 3 9 11M17 3l-5 14-3-6-6-3 14-5Z",
  stop: "M6 6h8v8H6Z",
  copy: "M7.500 7.500h8v8h-8ZM4.500 12.500v-8h8",
  sun: "M10 13.200a3.200 3.200 0 1 0 0-6.400 3.200 3.200 0 0 0 0 6.400ZM10 2.500V4M10 16v1.500M2.500 10H4M16 10h1.500M4.700 4.700l1 1M14.300 14.300l1 1M4.700 15.300l1-1M14.300 5.700l1-1",
  moon: "M16 11.500A6.500 6.500 0 0 1 8.500 4a6.500 6.500 0 1 0 7.500 7.500Z",
  search: "M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM13 13l3.500 3.500",
  key: "M7.500 15a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM10 9l6-5.500M13.500 5.800l2 2",
  download: "M10 3.500V12M6.500 9l3.500 3.500L13.500 9M4 16h12",
  upload: "M10 12V3.500M6.500 7 10 3.500 13.500 7M4 16h12",
  calendar: "M4 5.500h12v11H4ZM4 9h12M7.500 3.500v3M12.500 3.500v3",
  screen: "M3 4.500h14v9H3ZM7.500 16.500h5",
  feed: "M5 15.500v.1M4 10a6 6 0 0 1 6 6M4 4.500A11.500 11.500 0 0 1 15.500 16",
  device: "M6.500 3h7v14h-7ZM9 14.700h2",
  language: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c4 4 4 10 0 14M10 3c-4 4-4 10 0 14",
  tag: "M3.500 3.500h6l7 7-6 6-7-7ZM6.700 6.700v.1",
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a label. It is hidden from screen readers, which read the label. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true" focusable="false">
      <path d={paths[name]} stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

export function Brand({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0b6e75" />
      <path
        d="M16 6.5a6.500 6.500 0 0 0-6.500 6.500v4.200L7.400 21a.9.9 0 0 0 .8 1.400h15.600a.9.9 0 0 0 .8-1.400l-2.100-3.800V13A6.500 6.500 0 0 0 16 6.500Z"
        fill="#fff"
      />
      <path d="M13 24.400a3 3 0 0 0 6 0Z" fill="#ffb454" />
    </svg>
  );
}
