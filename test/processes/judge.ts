/** What must hold after a play with processes: what people see is what the servers' own books say. */
import { expect } from 'vitest';
import { expectNoSecrets } from '../kit/secrets-in-log.ts';
import type { AppProcess } from './app-process.ts';
import { until } from './until.ts';
import { postOf, type Workspace } from './workspace.ts';

const RATE_LIMITED = 429;
/** In names, IDs and tokens of a workspace, in any case: finds what one workspace shows of another. */
const MARKER = /wksp(\d{3})/giu;

/** Each project has one card where it is due, and nothing is posted twice, in threads neither. */
export function expectOnce(workspace: Workspace): void {
  const { slack, marker } = workspace;
  for (const channel of ['web', 'data'])
    expect(workspace.carded(channel).toSorted(), `cards of ${marker} in ${channel}`).toEqual(
      workspace.due(channel).toSorted(),
    );
  const top = slack.channels().flatMap(({ id }) => slack.messages(id));
  const all = [
    ...top.flatMap((it) => slack.thread(it.channel, it.ts)),
    ...slack.users().flatMap(({ id }) => slack.directMessages(id)),
  ];
  // Lists overlap: a direct message is in its channel's list, too, and in both people's.
  const messages = new Map(all.map((it) => [`${it.channel} ${it.ts}`, it]));
  const ids = [...messages.values()].map(postOf).filter(Boolean);
  expect(findRepeated(ids), `posted twice in ${marker}`).toEqual([]);
}

const findRepeated = (all: readonly string[]) => all.filter((it, at) => all.indexOf(it) !== at);

/** Requests that the marketplace may have carried out. */
function sentTo({ marketplace }: Workspace, path: string) {
  return marketplace.requests().filter((it) => it.path === path && it.status !== RATE_LIMITED);
}

/** A form that was sent asks for a job once at most, and a press of Approve approves once at most. */
export function expectNoBidTwice(workspace: Workspace): void {
  const { marketplace, approvals, marker, letters } = workspace;
  const creates = sentTo(workspace, '/auto-bidding/jobs/create');
  const sent = creates.map(({ body }) => (body as { cover_letter?: string }).cover_letter ?? '');
  const jobs = marketplace.jobs();
  expect(findRepeated(sent), `bids of ${marker} that were sent twice`).toEqual([]);
  expect(letters, `bids of ${marker} that people sent`).toEqual(expect.arrayContaining(sent));
  expect(findRepeated(jobs.map((it) => it.coverLetter)), `two jobs of ${marker} for a form`).toEqual([]);
  for (const { id } of jobs) {
    const pressed = [...approvals].filter((it) => it.includes(`#${id}`)).length;
    const approved = sentTo(workspace, `/auto-bidding/jobs/${id}/approve`).length;
    expect(approved, `approvals of job ${id} of ${marker}`).toBeLessThanOrEqual(pressed);
  }
}

/** Markers of other workspaces than `own` in a text. */
export function foreignMarkers(text: string, own: string): readonly string[] {
  return [...new Set([...text.matchAll(MARKER)].map(([it]) => it.toLowerCase()))].filter((it) => it !== own);
}

/** Neither its Slack nor its marketplace has seen anything of another workspace. */
export function expectNothingForeign({ slack, marketplace, marker, filters }: Workspace): void {
  const seen = [
    ...slack.apiCalls().map(({ args }) => args),
    ...slack.sentRequests().map(({ body }) => body ?? ''),
    ...marketplace.requests().map(({ path, query, body }) => ({ path, query, body })),
  ];
  const foreign = seen.flatMap((it) => foreignMarkers(JSON.stringify(it), marker));
  expect(foreign, `of other workspaces, seen in ${marker}`).toEqual([]);
  const asked = marketplace.requests().flatMap(({ path }) => /^\/filters\/(\d+)/u.exec(path)?.[1] ?? []);
  const others = [...new Set(asked)].filter((id) => !filters.includes(Number(id)));
  expect(others, `filters that ${marker} doesn't have`).toEqual([]);
}

export function expectWithinLimit({ marketplace, requestsPerMinute, marker }: Workspace): void {
  const busiest = marketplace.maxRequestsInAnyMinute();
  expect(busiest, `busiest minute of ${marker}`).toBeLessThanOrEqual(requestsPerMinute);
}

/** The channels' budgets come to count what was charged, and are sure of it. */
export async function expectCredits(workspace: Workspace): Promise<void> {
  const ada = workspace.person('ada');
  let read = '';
  const count = async () => {
    const answers = [await ada.type('/gig budget'), await ada.type('/gig budget', 'data')];
    const texts = answers.map(({ text }) => text);
    read = texts.join('\n');
    const spent = texts.map((it) => /([\d,]+)(?: of [\d,]+)? credits? spent/u.exec(it)?.[1] ?? 'nothing');
    const sum = spent.reduce((total, it) => total + Number(it.replaceAll(',', '')), 0);
    return sum === workspace.marketplace.consumedCredits().total && !read.includes('uncertain');
  };
  await until(`credits of ${workspace.marker}, as charged`, count, { boundMs: 30_000, state: () => read });
}

/** None ended by itself, wrote anything else than its log, or told a secret there. */
export function expectQuietProcesses(
  apps: readonly AppProcess[],
  workspaces: readonly Workspace[],
  secrets: readonly string[] = [],
): void {
  const ended = apps.filter((it) => !it.isRunning && !it.isEnding).map((it) => it.lastWords);
  expect(ended, 'processes that ended by themselves').toEqual([]);
  expect(apps.flatMap(({ noise }) => noise)).toEqual([]);
  const lines = apps.flatMap(({ log }) => log.map((it) => JSON.stringify(it)));
  for (const { marketplace, slack } of workspaces) expectNoSecrets(lines, marketplace, slack);
  for (const secret of secrets) expect(lines.filter((it) => it.includes(secret))).toEqual([]);
}
