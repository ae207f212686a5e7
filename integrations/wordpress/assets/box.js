/** The box in the editor: asks for the decision, and follows the notification after the publication. */
(() => {
  const box = document.getElementById("pressbell-box");
  if (!box) return;
  const { apiFetch, data } = window.wp;
  const words = JSON.parse(box.dataset.words);
  const path = `/pressbell/v1/posts/${box.dataset.post}`;
  const decision = box.querySelector(".pressbell-decision");
  const final = ["none", "left", "skipped", "failed", "withdrawn"];
  const ended = ["completed", "stopped", "failed"];
  let timer;

  const line = (text) => Object.assign(document.createElement("p"), { textContent: text });

  const follow = async () => {
    clearTimeout(timer);
    let state;
    try {
      const answer = await apiFetch({ path });
      state = answer.state;
      box.querySelector(".pressbell-state").textContent = answer.said;
      box.querySelector(".pressbell-topics").textContent = answer.topics;
      box.querySelector(".pressbell-choices").disabled = !["none", "waiting", "withdrawn"].includes(state);
      if (ended.includes(answer.run?.status)) return;
    } catch {
      // Asked again below.
    }
    if (!final.includes(state)) timer = setTimeout(follow, 5000);
  };

  box.querySelector(".pressbell-preview").addEventListener("click", async ({ target }) => {
    target.disabled = true;
    try {
      const { decision: said, reasons, reachable } = await apiFetch({ path: `${path}/preview`, method: "POST" });
      decision.replaceChildren(...(said ? [line(words[said])] : []), ...reasons.map(line));
      if (reachable !== null) decision.append(line(words.readers.replace("%s", reachable.toLocaleString())));
    } catch (error) {
      decision.replaceChildren(line(error.message));
    }
    target.disabled = false;
  });

  // The block editor stays on the page when it publishes.
  const editor = data?.select("core/editor");
  let status = editor?.getCurrentPostAttribute("status");
  data?.subscribe(() => {
    const now = editor?.getCurrentPostAttribute("status");
    if (now === status) return;
    status = now;
    void follow();
  });
  void follow();
})();
