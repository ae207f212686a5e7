import { Notifications } from "@mantine/notifications";

/** Shows notifications, those too that were made before it was loaded. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function Notices() {
  return <Notifications position="top-right" limit={3} />;
}
