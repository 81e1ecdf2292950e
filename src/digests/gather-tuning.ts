/** What a week tells of a channel's filters: gathered card by card, in small pieces. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Feed } from '../feed/feed.ts';
import { isMuted } from '../feed/match-card.ts';
import { type Card, cards, type Mute, projectRecordKey, seenProjects } from '../feed/records.ts';
import type { FilterId, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import type { ReadTransaction, Store } from '../storage/store.ts';
import type { TuningFacts } from './facts.ts';
import { FilterWeek } from './filter-week.ts';
import type { Stretch } from './gather-told.ts';
import { isBidOn } from './is-bid-on.ts';
import { readPages, stretch } from './read-pages.ts';

interface Context {
  readonly store: Store;
  readonly team: TeamId;
  readonly feed: Pick<Feed, 'subscriptions' | 'settings'>;
}

/** How many projects each mute has kept away; one that several name counts for each. */
class Kept {
  readonly #counts: Map<Mute, number>;

  constructor(mutes: readonly Mute[]) {
    this.#counts = new Map(mutes.map((mute) => [mute, 0]));
  }

  add(project: ListedProject): void {
    for (const [mute, many] of this.#counts) if (isMuted(project, [mute])) this.#counts.set(mute, many + 1);
  }

  facts(): TuningFacts['mutes'] {
    return [...this.#counts]
      .filter(([, many]) => many > 0)
      .map(([{ kind, value }, many]) => ({ what: kind, value, kept: many }))
      .sort((a, b) => b.kept - a.kept);
  }
}

/**
 * Cards of the stretch, by the filters that the channel follows now: one that several filters found counts for each. What
 * stands there may change while it is read; nothing waits for it.
 */
export async function gatherTuning(
  { store, team, feed }: Context,
  when: Stretch & { readonly timezone: string },
): Promise<TuningFacts> {
  const { channel, from, to, timezone } = when;
  const kept = new Kept((await feed.settings(channel)).mutes);
  const weeks = new Map<FilterId, FilterWeek>();
  for (const view of await feed.subscriptions(channel)) weeks.set(view.filter.id, new FilterWeek(view));

  const add = async (tx: ReadTransaction, card: Card) => {
    const found = card.filters.flatMap((filter) => weeks.get(filter) ?? []);
    const project = (await tx.get(seenProjects, projectRecordKey(team, card.project)))?.project;
    if (card.because === 'muted') {
      for (const week of found) week.addMuted();
      if (project) kept.add(project);
    }
    if (card.state !== 'told') return;
    const isBid = await isBidOn(tx, team, card.project);
    for (const week of found) week.addTold(card, project, isBid);
  };
  const range = { index: 'byChannel', prefix: [team, channel] as const, ...stretch(when) };
  await readPages(store, cards, range, async (tx, page) => {
    for (const card of page) await add(tx, card);
  });

  const filters: TuningFacts['filters'] = [];
  for (const week of weeks.values()) {
    filters.push(week.facts());
    await nextTurn();
  }
  filters.sort((a, b) => b.told + b.muted - a.told - a.muted);
  return { channel, from, to, timezone, filters, mutes: kept.facts() };
}
