/** The style and the script of the cluster sandbox's page. */

export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #383b40); --paper: light-dark(#f8f8f8,
  #1a1d21);
  --card: light-dark(#fff, #222529); --ink: light-dark(#1d1c1d, #d7d8d9);
  --quiet: light-dark(#616061, #abacad);
  --green: light-dark(#007a5a, #3fc59a); --amber: light-dark(#8a5a00, #e8b44c);
  --red: light-dark(#b3261e, #ff8a80); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.4rem; }
header p { margin: .25rem 0 1.25rem; max-width: 46rem; color: var(--quiet); }
h2 { display: flex; justify-content: space-between; align-items: baseline; margin: 0 0 .5rem;
  font-size: 1.05rem; }
small { font-weight: 600; font-size: .85rem; color: var(--quiet); }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem;
  margin-bottom: 1rem; }
section { padding: 1rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card); min-width: 0; }
section.running { border-top: 3px solid var(--green); } .running small { color: var(--green); }
section.starting, section.paused { border-top: 3px solid var(--amber); }
.starting small, .paused small { color: var(--amber); }
section.ended { border-top: 3px solid var(--red); } .ended small { color: var(--red); }
p { margin: 0 0 .5rem; } .quiet { color: var(--quiet); font-size: .85rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 0; }
button { padding: .3rem .7rem; border: 1px solid var(--line); border-radius: 6px;
  background: transparent;
  color: inherit; font: inherit; font-size: .85rem; font-weight: 600; cursor: pointer; }
button:hover { border-color: var(--ink); } button:focus-visible { outline: 2px solid var(--green); }
ul { margin: 0; padding: 0; list-style: none; }
.cards { min-height: 4.6rem; } .cards li { overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
.events { max-height: 16rem; overflow: auto; font-size: .9rem; }
time { color: var(--quiet); font-variant-numeric: tabular-nums; margin-right: .5rem; }
#problem { color: var(--red); font-weight: 600; }
`;

export const PAGE_SCRIPT = `
const main = document.querySelector('main');
const problem = document.querySelector('#problem');
let isPressing = false;
function tell(text) { problem.textContent = text; problem.hidden = text === ''; }
async function refresh() {
  try {
    const answer = await fetch('/state');
    const html = await answer.text();
    if (!isPressing && html !== main.dataset.shown) { main.innerHTML = html; main.dataset.shown = html; }
    if (problem.dataset.kind === 'away') { tell(''); problem.dataset.kind = ''; }
  } catch { tell('The sandbox has ended.'); problem.dataset.kind = 'away'; }
}
addEventListener('pointerdown', () => { isPressing = true; });
addEventListener('pointerup', () => { setTimeout(() => { isPressing = false; }, 200); });
main.addEventListener('click', async (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const { action, target } = button.dataset;
  const body = JSON.stringify({ action, target });
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch('/do', { method: 'POST', headers, body });
    const { problem: why } = await answer.json();
    tell(why ?? '');
  } catch { return; }
  isPressing = false;
  await refresh();
});
setInterval(refresh, 500);
`;
