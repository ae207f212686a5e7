type Preference = string | number | boolean;

/** Nothing of these is reached without the internet, and each try costs time. */
const quiet: Record<string, Preference> = {
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.aboutConfig.showWarning": false,
  "browser.newtabpage.enabled": false,
  "browser.safebrowsing.blockedURIs.enabled": false,
  "browser.safebrowsing.downloads.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.sessionstore.resume_from_crash": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "media.gmp-manager.updateEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.prefetch-next": false,
  "network.trr.mode": 5,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "toolkit.telemetry.enabled": false,
  "trailhead.firstrun.didSeeAboutWelcome": true,
};

/** user.js of a fresh profile whose push service is the autopush at `autopushUrl`. */
export function userJs(autopushUrl: string): string {
  const preferences: Record<string, Preference> = {
    ...quiet,
    "dom.push.serverURL": autopushUrl,
    // Without it ws:// is ignored, and subscribe() fails with an AbortError that names no cause.
    "dom.push.testing.allowInsecureServerURL": true,
    // Marionette sets it to false unless it is written out, and unless its own preferences are off.
    "dom.push.connection.enabled": true,
    "remote.prefs.recommended": false,
    "dom.push.retryBaseInterval": 500,
    // The site's permission is set for each test; what is left is to be asked.
    "permissions.default.desktop-notification": 0,
    // Notifications are windows of Firefox, which can be read and clicked.
    "alerts.useSystemBackend": false,
    // A push for an origin that was never visited is dropped.
    "places.history.enabled": true,
    "marionette.port": 0,
    // A button of the permission's question can be pressed at once.
    "security.notification_enable_delay": 0,
    // Test windows are never in front.
    "focusmanager.testmode": true,
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  return lines.join("");
}
