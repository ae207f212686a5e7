import { Paper, Switch, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { addressOf } from "../api/address.ts";
import { ApiError } from "../api/client.ts";
import { addEditorDevice, editorDevices, removeEditorDevice } from "../api/editor-device-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const keyOf = (siteId: string) => `pressbell-editor-device-${siteId}`;

/**
 * Lets an editor get a notification on this device when a feed suggests a story. The device does not become a reader
 * of the site.
 */
export function ThisDevice() {
  const { tenantId, siteId } = useCurrentSite();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: ["editor-devices", siteId], queryFn: () => editorDevices(tenantId, siteId) });
  const known = localStorage.getItem(keyOf(siteId));
  const deviceId = query.data?.devices.find((device) => device.deviceId === known)?.deviceId;
  const toggle = useMutation({
    mutationFn: async () => {
      if (deviceId !== undefined) {
        await unsubscribe(siteId);
        await removeEditorDevice(tenantId, siteId, deviceId);
        return localStorage.removeItem(keyOf(siteId));
      }
      const subscription = await subscribe(siteId, query.data!.vapidPublicKey);
      const added = await addEditorDevice(tenantId, siteId, subscription.toJSON());
      localStorage.setItem(keyOf(siteId), added.deviceId);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["editor-devices", siteId] }),
  });
  return (
    <Paper component="section" aria-label={words.feeds.suggestionsOnThisDevice}>
      <FormError error={toggle.error ?? query.error} />
      {isAble ? (
        <Switch
          label={words.feeds.suggestionsSwitch}
          description={words.feeds.suggestionsSwitchHint}
          checked={deviceId !== undefined}
          disabled={query.data === undefined || toggle.isPending}
          onChange={() => toggle.mutate()}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {words.feeds.notificationsUnsupported}
        </Text>
      )}
    </Paper>
  );
}

/** Subscribes this device. Each site has its own worker, because a subscription belongs to the key of one site. */
async function subscribe(siteId: string, vapidPublicKey: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== "granted") throw refused();
  const scope = addressOf(`/sites/${siteId}/`);
  await navigator.serviceWorker.register(addressOf("/editor-worker.js"), { scope });
  const { pushManager } = await navigator.serviceWorker.ready;
  // The old subscription is for another key if the site has imported a key pair since.
  await (await pushManager.getSubscription())?.unsubscribe();
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey });
  } catch {
    throw failed();
  }
}

async function unsubscribe(siteId: string): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(addressOf(`/sites/${siteId}/`));
  await registration?.unregister();
}

const refused = () => new ApiError(0, { code: "notifications_refused", message: words.feeds.notificationsForbidden });
const failed = () => new ApiError(0, { code: "not_subscribed", message: words.feeds.pushServiceUnreachable });
