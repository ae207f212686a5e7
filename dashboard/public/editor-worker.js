// The service worker of an editor's device: shows which draft a feed suggests, and opens it. It handles no requests.
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, body, campaignId } = event.data.json();
  const shown = self.registration.showNotification(title, { body, tag: campaignId, data: { campaignId } });
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const draft = encodeURIComponent(event.notification.data.campaignId);
  event.waitUntil(self.clients.openWindow(new URL(`compose?draft=${draft}`, self.registration.scope).href));
});
