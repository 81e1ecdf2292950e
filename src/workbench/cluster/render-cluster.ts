/** The cluster sandbox's page. Pure. */
import type { Instant } from '../../clock.ts';
import type { ClusterTeam } from './cluster-teams.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { ReplicaProcess } from './replica-process.ts';
import type { Cluster } from './start-cluster.ts';

const MOST_CARDS = 3;
const MOST_EVENTS = 30;

export type ShownReplica = Pick<ReplicaProcess, 'name' | 'state' | 'owned' | 'counts' | 'isSlow'>;
export type ShownTeam = Pick<ClusterTeam, 'id' | 'name' | 'cards' | 'published'>;

export interface ShownCluster extends Pick<Cluster, 'events'> {
  readonly replicas: readonly ShownReplica[];
  readonly teams: readonly ShownTeam[];
}

function escapeHtml(text: string): string {
  const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/gu, (sign) => signs[sign] ?? sign);
}

function button(label: string, action: string, target: string, hint: string): string {
  const data = `data-action="${action}" data-target="${escapeHtml(target)}"`;
  return `<button ${data} title="${escapeHtml(hint)}">${label}</button>`;
}

const STATE_WORDS: Readonly<Record<ShownReplica['state'], string>> = {
  starting: 'Starting',
  running: 'Running',
  paused: 'Paused',
  ended: 'Ended',
};

function buttonsFor({ name, state, isSlow }: ShownReplica): string {
  const kill = button('Kill', 'kill', name, 'SIGKILL, as when its machine is lost');
  if (state === 'ended') return button('Start', 'start', name, 'Starts its process');
  if (state === 'paused') return button('Continue', 'resume', name, 'SIGCONT: it wakes up') + kill;
  return [
    kill,
    button('Restart', 'restart', name, 'SIGTERM: it hands its workspaces over, then starts again'),
    button('Pause', 'pause', name, 'SIGSTOP: it hangs until you continue it'),
    button('Cut Connections', 'cut', name, 'Cuts its connections to the database once'),
    isSlow
      ? button('Normal Database', 'slow', name, 'The database answers at once again')
      : button('Slow Database', 'slow', name, 'Each answer of the database takes 0.4 s longer'),
  ].join('');
}

/** A paused replica doesn't know that another one has taken over. */
function describeOwned({ owned, state }: ShownReplica, nameOf: (team: string) => string): string {
  const names = [...owned].map((team) => `<b>${escapeHtml(nameOf(team))}</b>`).join(', ');
  if (names === '') return 'Owns no workspace';
  return state === 'paused' ? `Owned ${names} when it was paused` : `Owns ${names}`;
}

function renderReplica(replica: ShownReplica, nameOf: (team: string) => string): string {
  const { takeovers, forwards, fencedCommits } = replica.counts;
  return `<section class="${replica.state}">
    <h2>${escapeHtml(replica.name)} <small>${STATE_WORDS[replica.state]}</small></h2>
    <p>${describeOwned(replica, nameOf)}${replica.isSlow ? ' · slow database' : ''}</p>
    <p class="quiet">Takeovers ${takeovers} · forwards ${forwards} · refused commits ${fencedCommits}</p>
    <p class="buttons">${buttonsFor(replica)}</p>
  </section>`;
}

function renderTeam(team: ShownTeam, owner: string | undefined): string {
  const { cards } = team;
  const newest = cards.slice(0, MOST_CARDS).map(({ text }) => `<li>${escapeHtml(text)}</li>`);
  return `<section>
    <h2>${escapeHtml(team.name)} <small>${owner === undefined ? 'Moving' : escapeHtml(owner)}</small></h2>
    <p>${team.published} projects published, ${cards.length} cards</p>
    <ul class="cards">${newest.join('')}</ul>
    <p class="buttons">${button('Publish a Project', 'publish', team.id, 'Its card comes within seconds')}</p>
  </section>`;
}

function renderTime(at: Instant): string {
  return new Date(at).toISOString().slice(11, 23);
}

/** What changes, as HTML: the page fetches it twice a second. */
export function renderClusterState({ replicas, teams, events }: ShownCluster): string {
  const nameOf = (id: string) => teams.find((team) => team.id === id)?.name ?? id;
  const ownerOf = (id: string) =>
    replicas.find(({ owned, state }) => owned.has(id) && state === 'running')?.name;
  const lines = events
    .slice(0, MOST_EVENTS)
    .map(({ at, text }) => `<li><time>${renderTime(at)}</time> ${escapeHtml(text)}</li>`);
  return `<div class="row">${replicas.map((it) => renderReplica(it, nameOf)).join('')}</div>
    <div class="row">${teams.map((team) => renderTeam(team, ownerOf(team.id))).join('')}</div>
    <section><h2>Events <small>UTC</small></h2><ul class="events">${lines.join('')}</ul></section>`;
}

export function renderClusterPage(shown: ShownCluster): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Gigdesk cluster sandbox</title>
  <style>${PAGE_STYLE}</style>
  <script src="/cluster.js" defer></script>
</head>
<body>
  <header>
    <h1>Gigdesk cluster sandbox</h1>
    <p>Each workspace is owned by one replica. Kill or pause its owner: another one takes over, and each
    project still gets one card. A project is published in both workspaces every 5 seconds.</p>
  </header>
  <p id="problem" role="alert" hidden></p>
  <main>${renderClusterState(shown)}</main>
</body>
</html>`;
}
