/** Answers proposal searches from memory; stores what was shown, so that it can be shared. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { asError } from '../../errors.ts';
import { StorageError } from '../../storage/store.ts';
import type { PersonalRecordId } from '../core/personal-records.ts';
import type { ActionCall, CommandCall, Message, Services } from '../core/routes.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { queryErrorMessage } from '../kit/query-error.ts';
import { type ShownProposals, saveShownProposals } from '../sharing/sharing.ts';
import type { ProposalsCoverage } from './proposals-coverage.ts';
import { PROPOSALS_PAGE_SIZE, type ProposalSearchFacts, proposalsMessage } from './proposals-found.ts';
import {
  noFollowedProfilesMessage,
  noProposalsFoundMessage,
  PROPOSALS_STILL_LOADING,
} from './proposals-none.ts';
import type { ProposalsPageValue } from './proposals-values.ts';

type Asking = Pick<ActionCall | CommandCall, 'services' | 'person' | 'channel'>;

/** Which profiles are covered and how well, with their names. */
export async function readProposalsCoverage({ proposals, directory }: Services): Promise<ProposalsCoverage> {
  const { mirror, search } = proposals;
  const progress = mirror.estimateProgress();
  const names = await directory.readEntryNames(
    'profile',
    progress.map(({ profile }) => profile),
  );
  const profiles = progress.map((each) => {
    const name = names.get(each.profile);
    return { ...each, ...omitUndefined({ name }) };
  });
  return { profiles, isLoaded: mirror.isLoaded, behind: search.unindexedCount };
}

/** Whether others read there, too: not a direct message. */
function isChannel(channel: string): boolean {
  return /^[CG]/u.test(channel);
}

/**
 * @returns the ID for sharing; undefined outside channels, or if the disk refuses: the reply is still shown.
 */
export async function saveResultsForSharing(
  { services, person, channel }: Asking,
  what: Pick<ShownProposals, 'proposals' | 'search' | 'statistics'>,
): Promise<PersonalRecordId | undefined> {
  const { store, team, clock, random, log } = services;
  if (!isChannel(channel)) return undefined;
  const shown = { team, user: person.user, channel, at: clock.now(), ...what };
  try {
    return (await store.transact((tx) => saveShownProposals(tx, shown, random))).id;
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.warn('could not store shown proposals for sharing', { error: asError(thrown) });
    return undefined;
  }
}

/** The requested page; the last one if there are fewer. */
function searchPage({ proposals }: Services, { query, page }: ProposalsPageValue) {
  const at = (offset: number) => ({
    offset,
    outcome: proposals.search.searchProposals(query, { offset, limit: PROPOSALS_PAGE_SIZE }),
  });
  const asked = at((page - 1) * PROPOSALS_PAGE_SIZE);
  const { outcome } = asked;
  if (outcome.kind === 'mistake' || outcome.total === 0 || asked.offset < outcome.total) return asked;
  return at((Math.ceil(outcome.total / PROPOSALS_PAGE_SIZE) - 1) * PROPOSALS_PAGE_SIZE);
}

/** Why there is nothing to search or count; undefined if there is something. */
export async function noProposalsReason(
  { proposals, directory }: Services,
  what: 'search' | 'count',
): Promise<Message | undefined> {
  const { mirror } = proposals;
  if (mirror.size > 0 || mirror.estimateProgress().length > 0) return undefined;
  return mirror.isLoaded
    ? noFollowedProfilesMessage(await directory.listEntries('profile', 5), what)
    : PROPOSALS_STILL_LOADING;
}

export async function renderProposalsPage(call: Asking, asked: ProposalsPageValue): Promise<Message> {
  const { services } = call;
  const { query } = asked;
  const { outcome, offset } = searchPage(services, asked);
  if (outcome.kind === 'mistake')
    return queryErrorMessage(query, outcome.mistake, `${SLASH_COMMAND} proposals `);
  const nothing = await noProposalsReason(services, 'search');
  if (nothing) return nothing;
  const coverage = await readProposalsCoverage(services);
  const { total, hits, correctedWords, suggestedQueries } = outcome;
  if (total === 0) return noProposalsFoundMessage(query, { instead: suggestedQueries, coverage });
  const page = { query, offset, total, ...omitUndefined({ meant: correctedWords }) };
  const share = await saveResultsForSharing(call, { proposals: hits.map(({ id }) => id), search: page });
  return proposalsMessage({ ...page, hits, coverage, ...omitUndefined({ share }) });
}

/** The page as it was shown, with the proposals' current data. */
export async function readShownProposalsPage(
  services: Services,
  shown: ShownProposals,
): Promise<ProposalSearchFacts | undefined> {
  const { mirror } = services.proposals;
  const hits = shown.proposals.flatMap((id) => mirror.get(id) ?? []);
  if (!shown.search || hits.length === 0) return undefined;
  return { ...shown.search, hits, coverage: await readProposalsCoverage(services) };
}
