/** Bodies of async functions that run inside Firefox: all but the first in its parent process, with its own rights. */
export const scripts = {
  /** In the page: the button or link of the text args[0], in the document or in an open shadow root. */
  findButton: `
    const rootsOf = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((e) => e.shadowRoot ? rootsOf(e.shadowRoot) : [])];
    const buttons = rootsOf(document).flatMap((root) => [...root.querySelectorAll("button, a")]);
    return buttons.find((button) => button.textContent.trim() === args[0]);`,

  permit: `
    const [origin, answer] = args;
    const { ALLOW_ACTION, DENY_ACTION, UNKNOWN_ACTION } = Services.perms;
    const action = { granted: ALLOW_ACTION, denied: DENY_ACTION, prompt: UNKNOWN_ACTION }[answer];
    const principal = Services.scriptSecurityManager.createContentPrincipalFromOrigin(origin);
    Services.perms.addFromPrincipal(principal, "desktop-notification", action);`,

  /** Presses a button of the permission's question: "button" says yes, "secondaryButton" no. False where none is asked. */
  answer: `
    const window = Services.wm.getMostRecentWindow("navigator:browser");
    const question = window.document.querySelector("#notification-popup popupnotification");
    question?.[args[0]].click();
    return Boolean(question);`,

  /** A nudge that was replaced or is closing is no longer on the desktop. */
  nudges: `
    return [...Services.wm.getEnumerator("alert:alert")]
      .filter((alert) => alert.gIsActive && !alert.gIsReplaced && !alert.closed)
      .map(({ document }) => ({
        title: document.getElementById("alertTitleLabel").getAttribute("value"),
        body: document.getElementById("alertTextLabel").textContent,
      }));`,

  /** Presses the part args[1] of the nudge whose title is args[0]. */
  press: `
    const [title, part] = args;
    const alert = [...Services.wm.getEnumerator("alert:alert")]
      .find(({ document }) => document.getElementById("alertTitleLabel").getAttribute("value") === title);
    if (!alert) throw new Error("no nudge says " + title);
    alert.document.getElementById(part).click();`,

  tabs: `
    return [...Services.wm.getEnumerator("navigator:browser")]
      .flatMap((window) => window.gBrowser.browsers.map((browser) => browser.currentURI.spec));`,
};
