/** Answers to a search of proposals, out of memory; what is shown is kept, so that it can be shared. */
import { asError } from '../../errors.ts';
import { StorageError } from '../../storage/store.ts';
import { COMMAND } from '../blocks/ids.ts';
import { mistakeMessage } from '../messages/mistake.ts';
import type { Coverage } from '../messages/proposals-coverage.ts';
import { type FoundFacts, PROPOSALS_PAGE, proposalsMessage } from '../messages/proposals-found.ts';
import { noProfilesMessage, nothingFoundMessage, STILL_LOADING } from '../messages/proposals-none.ts';
import type { ProposalsPageValue } from '../messages/proposals-values.ts';
import type { OwnRecordId } from '../own-records.ts';
import type { ActionCall, CommandCall, Message, Services } from '../routes.ts';
import { keepShown, type ShownProposals } from '../shown-proposals.ts';

type Asking = Pick<ActionCall | CommandCall, 'services' | 'person' | 'channel'>;

/** Which profiles are covered and how well, with their names. */
export async function readCoverage({ proposals, directory }: Services): Promise<Coverage> {
  const { mirror, search } = proposals;
  const progress = mirror.progress();
  const names = await directory.names(
    'profile',
    progress.map(({ profile }) => profile),
  );
  const profiles = progress.map((each) => {
    const name = names.get(each.profile);
    return { ...each, ...(name === undefined ? {} : { name }) };
  });
  return { profiles, isLoaded: mirror.isLoaded, behind: search.behind };
}

/** Somewhere where others read, too: not a conversation of two. */
function isChannel(channel: string): boolean {
  return /^[CG]/u.test(channel);
}

/** @returns by what it can be shared; undefined where there is no channel, or the disk takes nothing: reading goes on. */
export async function keepForSharing(
  { services, person, channel }: Asking,
  what: Pick<ShownProposals, 'proposals' | 'search' | 'statistics'>,
): Promise<OwnRecordId | undefined> {
  const { store, team, clock, random, log } = services;
  if (!isChannel(channel)) return undefined;
  const shown = { team, user: person.user, channel, at: clock.now(), ...what };
  try {
    return (await store.transact((tx) => keepShown(tx, shown, random))).id;
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.warn('could not store shown proposals for sharing', { error: asError(thrown) });
    return undefined;
  }
}

/** The page that was asked for; the last one where there are fewer. */
function searchPage({ proposals }: Services, { query, page }: ProposalsPageValue) {
  const at = (offset: number) => ({
    offset,
    outcome: proposals.search.search(query, { offset, limit: PROPOSALS_PAGE }),
  });
  const asked = at((page - 1) * PROPOSALS_PAGE);
  const { outcome } = asked;
  if (outcome.kind === 'mistake' || outcome.total === 0 || asked.offset < outcome.total) return asked;
  return at((Math.ceil(outcome.total / PROPOSALS_PAGE) - 1) * PROPOSALS_PAGE);
}

/** Why there is nothing to search or to count; undefined where there is something. */
export async function nothingToSearch(
  { proposals, directory }: Services,
  what: 'search' | 'count',
): Promise<Message | undefined> {
  const { mirror } = proposals;
  if (mirror.size > 0 || mirror.progress().length > 0) return undefined;
  return mirror.isLoaded ? noProfilesMessage(await directory.list('profile', 5), what) : STILL_LOADING;
}

export async function drawProposals(call: Asking, asked: ProposalsPageValue): Promise<Message> {
  const { services } = call;
  const { query } = asked;
  const { outcome, offset } = searchPage(services, asked);
  if (outcome.kind === 'mistake') return mistakeMessage(query, outcome.mistake, `${COMMAND} proposals `);
  const nothing = await nothingToSearch(services, 'search');
  if (nothing) return nothing;
  const coverage = await readCoverage(services);
  const { total, hits, meant, instead } = outcome;
  if (total === 0) return nothingFoundMessage(query, { instead, coverage });
  const page = { query, offset, total, ...(meant === undefined ? {} : { meant }) };
  const share = await keepForSharing(call, { proposals: hits.map(({ id }) => id), search: page });
  return proposalsMessage({ ...page, hits, coverage, ...(share === undefined ? {} : { share }) });
}

/** The page as it was shown, with what is known of its proposals now. */
export async function readPage(services: Services, shown: ShownProposals): Promise<FoundFacts | undefined> {
  const { mirror } = services.proposals;
  const hits = shown.proposals.flatMap((id) => mirror.get(id) ?? []);
  if (!shown.search || hits.length === 0) return undefined;
  return { ...shown.search, hits, coverage: await readCoverage(services) };
}
