import { Box } from "@mantine/core";
import { encode } from "uqr";

/** A QR code, dark on white in every colour scheme: many cameras cannot read inverted codes. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <Box w={220} maw="100%" flex="none">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} width="100%" shapeRendering="crispEdges">
        <rect width={size} height={size} fill="#fff" />
        <path d={dark.join("")} fill="#000" />
      </svg>
    </Box>
  );
}
