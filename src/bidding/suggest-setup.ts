/** Suggests a setup for a new bid form, from our own records, and says why. */

import { findProjectCard, findSeenProject } from '../feed/find-project.ts';
import type { ChannelId, FilterId, ProjectKey, SetupId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { listSubjectWords } from '../query/subject-words.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { SetupSuggestion } from './draft-records.ts';
import { type Bid, bids } from './records.ts';
import { findSetupWarnings } from './setup-warnings.ts';

const NEWEST_BIDS = 50;

async function findLastUsedSetup(tx: ReadTransaction, channel: ChannelId, filters: readonly FilterId[]) {
  if (filters.length === 0) return undefined;
  const range = { index: 'byChannel', prefix: [channel] as const, limit: NEWEST_BIDS, reverse: true };
  for (const { value: bid } of await tx.list(bids, range)) {
    if (bid.state === 'refused') continue;
    const card = await findProjectCard(tx, channel, { project: bid.project });
    const filter = card?.filters.find((id) => filters.includes(id));
    if (filter !== undefined) return { setup: bid.request.setup, filter };
  }
  return undefined;
}

/** @param subject the project, and what is known of it beside the feed's records */
export async function suggestSetup(
  tx: ReadTransaction,
  { channel }: Pick<Bid, 'channel'>,
  { project, title }: { readonly project: ProjectKey; readonly title: string },
  setups: readonly BiddingSetup[],
): Promise<SetupSuggestion | undefined> {
  const seen = await findSeenProject(tx, { project });
  const card = await findProjectCard(tx, channel, { project });
  const passed = card?.passed ?? [];
  const channelFilters = passed.length > 0 ? passed : (card?.filters ?? []);
  const allFilters = seen?.filters ?? [];
  return chooseSetup({
    setups,
    channelFilters,
    allFilters,
    lastUsed: await findLastUsedSetup(tx, channel, channelFilters.length > 0 ? channelFilters : allFilters),
    title: seen?.project.title ?? title,
    skills: seen?.project.skills ?? [],
  });
}

/** What is known when the form opens. */
export interface SetupChoiceFacts {
  readonly setups: readonly BiddingSetup[];
  /** The channel's filters that found the project; they outweigh all others. */
  readonly channelFilters: readonly FilterId[];
  readonly allFilters: readonly FilterId[];
  /** The setup of the channel's newest bid on a project of the same filter. */
  readonly lastUsed?: { readonly setup: SetupId; readonly filter: FilterId } | undefined;
  /** The project's title; strangers' text, like its skills. */
  readonly title: string;
  readonly skills: readonly string[];
}

const MOST_SKILLS = 40;
const MOST_WORDS = 60;
/** Named in the reason. */
const MOST_NAMED = 4;

function hasBidsLeft(setup: BiddingSetup): boolean {
  return findSetupWarnings(setup).limitUsedUp === undefined;
}

function bidsLeftToday({ dailyLimit, sentToday }: BiddingSetup): number | undefined {
  return dailyLimit && sentToday !== undefined ? dailyLimit - sentToday : undefined;
}

/** The one with the highest number above 0; undefined if two share it. */
function findClearMaximum(setups: readonly BiddingSetup[], rate: (setup: BiddingSetup) => number) {
  const rated = setups.map((setup) => ({ setup, rating: rate(setup) }));
  const most = Math.max(0, ...rated.map(({ rating }) => rating));
  const [first, ...others] = rated.filter(({ rating }) => rating === most);
  return most > 0 && others.length === 0 ? first?.setup : undefined;
}

function sharedWords(setup: BiddingSetup, subject: readonly string[]): readonly string[] {
  const names = [setup.name, setup.filter?.name, setup.template?.name].join(' ');
  const own = new Set(listSubjectWords(names, MOST_WORDS));
  return subject.filter((word) => own.has(word));
}

function chooseByWords(setups: readonly BiddingSetup[], subject: readonly string[]) {
  const best = findClearMaximum(setups, (setup) => sharedWords(setup, subject).length);
  if (!best) return undefined;
  const words = sharedWords(best, subject).slice(0, MOST_NAMED);
  return { setup: best.id, reason: 'words' as const, words };
}

function chooseOfFilter(
  setups: readonly BiddingSetup[],
  subject: readonly string[],
): SetupSuggestion | undefined {
  const [only, ...others] = setups;
  if (!only) return undefined;
  const named = (setup: BiddingSetup) => ({ filter: setup.filter?.id });
  if (others.length === 0) return { setup: only.id, reason: 'filter', ...named(only) };
  const byWords = chooseByWords(setups, subject);
  if (byWords) return byWords;
  const roomiest = findClearMaximum(setups, (setup) => bidsLeftToday(setup) ?? 0);
  const areCounted = setups.every((setup) => bidsLeftToday(setup) !== undefined);
  return roomiest && areCounted ? { setup: roomiest.id, reason: 'most-left', ...named(roomiest) } : undefined;
}

/**
 * The setup last used for the project's filter in this channel; else the best match: its filter found the
 * project, its names share words with it, or it is the only active one. Never one that isn't active or has
 * used up its daily limit. Undefined if several fit equally well, or if the filter's own setups have all used
 * up their limits: a person chooses then.
 */
export function chooseSetup(facts: SetupChoiceFacts): SetupSuggestion | undefined {
  const { lastUsed, channelFilters, allFilters, title, skills } = facts;
  const active = facts.setups.filter((setup) => findSetupWarnings(setup).status === undefined);
  const usable = active.filter(hasBidsLeft);
  if (lastUsed && usable.some(({ id }) => id === lastUsed.setup)) return { ...lastUsed, reason: 'last-used' };
  const subject = listSubjectWords([title, ...skills.slice(0, MOST_SKILLS)].join(' '), MOST_WORDS);
  const ofFilter = [channelFilters, allFilters]
    .map((filters) => active.filter(({ filter }) => filter && filters.includes(filter.id)))
    .find((setups) => setups.length > 0);
  if (ofFilter) return chooseOfFilter(ofFilter.filter(hasBidsLeft), subject);
  const [only, ...others] = usable;
  if (only && others.length === 0) return { setup: only.id, reason: 'only-one' };
  return chooseByWords(usable, subject);
}
