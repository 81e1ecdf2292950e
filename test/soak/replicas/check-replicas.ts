/** What must hold after a soak of replicas, checked against the servers' own books. */
import { expect } from 'vitest';
import { foreignMarkers, type Place, postOf, REQUESTS_PER_MINUTE } from './place.ts';
import type { ReplicaSoak } from './replica-soak.ts';

const RATE_LIMITED = 429;

/** Each project has one card, and nothing is posted twice, in threads neither. */
function expectOnce(place: Place): void {
  const { slack, marker, published } = place;
  expect(place.carded().toSorted(byText), `cards of ${marker}`).toEqual(published.toSorted(byText));
  const top = slack.channels().flatMap(({ id }) => slack.messages(id));
  const all = [
    ...top.flatMap((it) => slack.thread(it.channel, it.ts)),
    ...slack.users().flatMap(({ id }) => slack.directMessages(id)),
  ];
  // Lists overlap: a direct message is in its channel's list, too, and in both people's.
  const messages = new Map(all.map((it) => [`${it.channel} ${it.ts}`, it]));
  const ids = [...messages.values()].map(postOf).filter(Boolean);
  const seen = new Set<string>();
  const twice = ids.filter((id) => seen.has(id) || !seen.add(id));
  expect(twice, `posted twice in ${marker}: ${twice.join(', ')}`).toEqual([]);
}

/** Requests that the marketplace may have carried out. */
function sentTo({ marketplace }: Place, path: (path: string) => boolean) {
  return marketplace.requests().filter((it) => path(it.path) && it.status !== RATE_LIMITED);
}

/** A form that was sent asks for a job once at most, and a press of Approve approves once at most. */
function expectNoBidTwice(place: Place): void {
  const { marketplace, approvals, marker } = place;
  const creates = sentTo(place, (path) => path === '/auto-bidding/jobs/create');
  const known = new Set(place.letters);
  const letters = creates.map(({ body }) => (body as { cover_letter?: string }).cover_letter ?? '');
  expect(
    letters.filter((letter, index) => !known.has(letter) || letters.indexOf(letter) !== index),
    `bids of ${marker} that nobody sent, or that were sent twice`,
  ).toEqual([]);
  const jobs = marketplace.jobs().map(({ coverLetter }) => coverLetter);
  expect(
    jobs.filter((letter, index) => jobs.indexOf(letter) !== index),
    `two jobs of ${marker} for one form`,
  ).toEqual([]);
  for (const { id } of marketplace.jobs()) {
    const pressed = new Set(approvals.filter((it) => jobOf(it) === id));
    const sent = sentTo(place, (path) => path === `/auto-bidding/jobs/${id}/approve`);
    expect(sent.length, `approvals of job ${id} of ${marker}`).toBeLessThanOrEqual(pressed.size);
  }
}

function jobOf(value: string): number {
  return (JSON.parse(value) as { job: number }).job;
}

/** Neither its Slack nor its marketplace has seen anything of another workspace. */
function expectNothingForeign({ slack, marketplace, marker, filters }: Place): void {
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

/** What Gigdesk counts is what the marketplace has charged. */
async function expectCredits(place: Place, { people }: ReplicaSoak): Promise<void> {
  const { marketplace, marker } = place;
  const text = await people.ask(place, 'ada', 'budget');
  const [, spent = ''] = /([\d,]+) of [\d,]+ credits spent in this channel/u.exec(text) ?? [];
  expect(spent.replaceAll(',', ''), `credits of ${marker} (${text})`).toBe(
    String(marketplace.consumedCredits().total),
  );
}

/** Records of a workspace show nothing of another, and none of its posts is left behind. */
async function expectRecords({ database, places }: ReplicaSoak): Promise<void> {
  for (const { marker, slack } of places) {
    const rows = await database<{ collection: string; key: string; value: string }[]>`
      select collection, key, value from records where team = ${slack.team.id}`;
    expect(rows.length, `records of ${marker}`).toBeGreaterThan(0);
    const foreign = rows.flatMap(({ collection, key, value }) =>
      foreignMarkers(`${key} ${value}`, marker).map((found) => `${found} in ${collection} ${key}`),
    );
    expect(foreign, `records of other workspaces in ${marker}`).toEqual([]);
    const posts = rows.filter(({ collection }) => collection === 'posts');
    const pending = posts
      .map(({ value }) => JSON.parse(value) as { id: string; state: string })
      .filter(({ state }) => !['posted', 'bundled'].includes(state));
    expect(pending, `posts of ${marker} that never came`).toEqual([]);
  }
}

/** @throws AssertionError with the broken promise */
export async function expectPromisesKept(soak: ReplicaSoak): Promise<void> {
  for (const place of soak.places) {
    expectOnce(place);
    expectNoBidTwice(place);
    expectNothingForeign(place);
    expect(
      place.marketplace.maxRequestsInAnyMinute(),
      `busiest minute of ${place.marker}`,
    ).toBeLessThanOrEqual(REQUESTS_PER_MINUTE);
    await expectCredits(place, soak);
  }
  await expectRecords(soak);
  expect(soak.services.marketFront.refused, 'requests with an unknown token').toBe(0);
  expect(soak.fleet.broken, 'processes').toEqual([]);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
