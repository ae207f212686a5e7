/**
 * The content of the front page. `snippet`: the script tag that installs Pressbell, as `pressbell site snippet` prints
 * it. `elements`: the address of the script with Pressbell's elements.
 */
export type FrontPage = { snippet: string; elements: string; articlePath: string; headline: string; summary: string };

const style = `
  :root { color-scheme: light dark; --ink: #1b1a17; --paper: #fbfaf6; --line: #d9d4c7; --quiet: #6b665a; --accent: #9b1c1c; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eceae3; --paper: #171614; --line: #3a3833; --quiet: #a29d90; --accent: #f08a7e; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 Georgia, "DejaVu Serif", serif; }
  .page { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem 3rem; }
  header { text-align: center; padding: 2rem 0 1.25rem; border-bottom: 3px double var(--line); }
  header h1 { margin: 0; font-size: clamp(2rem, 7vw, 3.5rem); letter-spacing: -0.02em; line-height: 1.1; }
  header p { margin: 0.35rem 0 0; color: var(--quiet); font-style: italic; }
  main { display: grid; gap: 2.5rem; padding-top: 2rem; grid-template-columns: minmax(0, 1fr); }
  @media (min-width: 48rem) { main { grid-template-columns: minmax(0, 1.35fr) minmax(0, 1fr); } }
  article h2 { margin: 0 0 0.75rem; font-size: clamp(1.5rem, 4vw, 2.25rem); line-height: 1.15; }
  article h2 a { color: inherit; text-decoration: none; }
  article h2 a:hover { text-decoration: underline; }
  .kicker { margin: 0 0 0.4rem; color: var(--accent); font: 600 0.8125rem system-ui, sans-serif; text-transform: uppercase;
    letter-spacing: 0.06em; }
  aside { font-family: system-ui, sans-serif; font-size: 0.9375rem; border: 1px solid var(--line); border-radius: 0.75rem;
    padding: 1.25rem 1.5rem; align-self: start; }
  aside h2 { margin: 0 0 0.75rem; font-size: 1.125rem; }
  ol { margin: 0; padding: 0; list-style: none; }
  li { padding: 0.9rem 0; border-top: 1px solid var(--line); }
  li:first-child { border-top: 0; padding-top: 0.25rem; }
  li p { margin: 0.5rem 0 0; color: var(--quiet); }
  button { font: 600 0.9375rem system-ui, sans-serif; padding: 0.55rem 1rem; border: 1px solid transparent; border-radius: 0.5rem;
    background: var(--ink); color: var(--paper); cursor: pointer; }
  button:disabled { background: transparent; border-color: var(--line); color: var(--quiet); cursor: default; }
  button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  dl { display: grid; grid-template-columns: 1fr auto; gap: 0.3rem 1rem; margin: 0; font-variant-numeric: tabular-nums; }
  dt { color: var(--quiet); }
  dd { margin: 0; text-align: right; font-weight: 600; }`;

/** The page's script. The first button opens Pressbell's prompt. The second makes the newspaper send a campaign. */
const script = `
  const find = (id) => document.getElementById(id);
  const say = (id, text) => { find(id).textContent = text; };
  const subscribed = (isSo) => { find("ask").disabled = isSo; find("notify").disabled = !isSo; };
  window.pressbell = [(pressbell) => {
    find("ask").onclick = () => pressbell.prompt();
    pressbell.on("ready", ({ state }) => {
      subscribed(state === "subscribed");
      find("ask").disabled ||= state !== "unsubscribed";
      say("asked", {
        subscribed: "This browser is subscribed.",
        unsubscribed: "First this page asks, then the browser does. Say yes to both.",
        denied: "This browser is told not to notify you for this page. Change that left of its address, and load it again.",
        install: "This browser wants the page on its home screen first: take Chrome or Firefox on a computer.",
        unsupported: "This browser cannot do it here, perhaps because its window is private: take Chrome or Firefox.",
      }[state]);
    });
    pressbell.on("subscribed", () => { subscribed(true); say("asked", "This browser is subscribed."); });
    pressbell.on("dismissed", () => say("asked", "Not now, then. The button asks again."));
    pressbell.on("denied", () => say("asked", "The browser was told not to. Change that left of its address, and load the page again."));
    pressbell.on("failed", ({ reason, message }) => say("asked", reason === "push"
      ? "The browser could not reach its push service, which needs the internet (" + message + ")."
      : "It did not work (" + reason + "): " + message));
  }];
  const names = ["audience", "accepted", "displayed", "clicked", "dismissed"];
  async function follow(runId) {
    const run = await (await fetch("/runs/" + runId)).json();
    find("counts").replaceChildren(...names.flatMap((name) => {
      const [term, count] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      count.textContent = run[name].toLocaleString("en");
      return [term, count];
    }));
    setTimeout(follow, 1000, runId);
  }
  find("notify").onclick = async () => {
    find("notify").disabled = true;
    say("sent", "On its way to everybody, you included.");
    const answer = await fetch("/nudges", { method: "POST" });
    if (answer.ok) await follow((await answer.json()).runId);
    else say("sent", "It was not sent: " + (await answer.text()));
    find("notify").disabled = false;
  };`;

/** Returns the HTML of the demo newspaper's front page, on which a person can subscribe and be notified. */
export function frontPage({ snippet, elements, articlePath, headline, summary }: FrontPage): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>The Demo Courier</title>
  <link rel="icon" href="data:,">
  <style>${style}
  </style>
</head>
<body><div class="page">
  <header><h1>The Demo Courier</h1><p>A newspaper of one story, printed on your own machine</p></header>
  <main>
    <article>
      <p class="kicker">City</p>
      <h2><a href="${articlePath}">${headline}</a></h2>
      <p>${summary}</p>
      <pressbell-follow story="river-bridge" label="the river bridge"></pressbell-follow>
    </article>
    <aside aria-labelledby="try">
      <h2 id="try">Be notified yourself</h2>
      <ol>
        <li><button id="ask" disabled>1. Ask me</button><p id="asked" role="status">Loading …</p></li>
        <li><button id="notify" disabled>2. Notify me</button><p id="sent" role="status">The story goes to all subscribers of the demo, and really to this browser.</p></li>
        <li><dl id="counts" aria-label="What the run counts"><dt>3. See what the run counts</dt><dd>–</dd></dl></li>
      </ol>
    </aside>
  </main>
</div>
<script>${script}
</script>
${snippet}
<script async src="${elements}"></script>
</body>
</html>`;
}
