import { Notifications } from "@mantine/notifications";

/** Shows notices, including those that were made before this script was loaded. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function Notices() {
  return <Notifications position="top-right" limit={3} />;
}
