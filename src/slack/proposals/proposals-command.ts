/** `/gig proposals`: searches from memory. */
import { SECOND } from '../../clock.ts';
import { parseProposalReference } from '../../proposals/proposals.ts';
import { translateEverydayWords } from '../../query/everyday-words.ts';
import { listQualifiers } from '../../query/parse-query.ts';
import {
  PROPOSAL_OUTCOMES,
  PROPOSAL_SORT_ORDERS,
  proposalSearchVocabulary,
} from '../../query/proposal-search.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  CommandRoute,
  Message,
  Services,
} from '../core/routes.ts';
import { joinWithOr } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import type { ProposalsCoverage } from './proposals-coverage.ts';
import {
  noFollowedProfilesMessage,
  noProposalsFoundMessage,
  PROPOSALS_PAGE_SIZE,
  PROPOSALS_STILL_LOADING,
  type ProposalsPageValue,
  proposalQueryErrorMessage,
  proposalsMessage,
  proposalsPageValueCodec,
} from './proposals-found.ts';
import { answerProposal, openProposalAction, PROPOSAL_PRESS_OUTDATED } from './show-proposal.ts';

/** A search of many proposals that were just copied doesn't wait longer, and says what is missing. */
const INDEXED_WITHIN_MS = 3 * SECOND;

/** Which profiles are covered and how well, with their names. */
export async function readProposalsCoverage({ proposals, directory }: Services): Promise<ProposalsCoverage> {
  const { mirror, search } = proposals;
  const progress = mirror.estimateProgress();
  const ids = progress.map(({ profile }) => profile);
  const names = await directory.readEntryNames('profile', ids);
  const profiles = progress.map((each) => ({ ...each, name: names.get(each.profile) }));
  return { profiles, isLoaded: mirror.isLoaded, behind: search.unindexedCount };
}

/** The last page if there are fewer. */
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

/** @param typed what the person typed, if it isn't the query */
async function renderProposalsPage(services: Services, asked: ProposalsPageValue, typed?: string) {
  const { query } = asked;
  await services.proposals.search.waitUntilIndexed(INDEXED_WITHIN_MS);
  const { outcome, offset } = searchPage(services, asked);
  if (outcome.kind === 'mistake') return proposalQueryErrorMessage(query, outcome.mistake);
  const nothing = await noProposalsReason(services, 'search');
  if (nothing) return nothing;
  const coverage = await readProposalsCoverage(services);
  const { total, hits, correctedWords, suggestedQueries } = outcome;
  if (total === 0) return noProposalsFoundMessage(query, { instead: suggestedQueries, coverage, typed });
  return proposalsMessage({ query, offset, total, meant: correctedWords, hits, coverage, typed });
}

async function run(call: CommandCall): Promise<void> {
  const reference = parseProposalReference(call.args);
  if (reference) return answerProposal(call, reference);
  const query = translateEverydayWords(call.args, call.services.clock.now());
  const typed = query === call.args ? undefined : call.args;
  await call.answer(await renderProposalsPage(call.services, { query, page: 1 }, typed));
}

/** Runs the button's search again, without reading everyday words in it. */
async function turnPage(call: ActionCall): Promise<void> {
  const asked = proposalsPageValueCodec.read(call.value);
  if (!asked) return call.answer(PROPOSAL_PRESS_OUTDATED);
  await call.replace(await renderProposalsPage(call.services, asked));
}

/** Each button's value names its target page. */
export const proposalsActions: readonly ActionRoute[] = [
  { id: actionIds.proposalsPage, needs: 'viewer', run: turnPage },
  { id: actionIds.proposalsBack, needs: 'viewer', run: turnPage },
  { id: actionIds.proposalsTry, needs: 'viewer', run: turnPage },
  openProposalAction,
];

export const proposalsCommand: CommandRoute = {
  word: 'proposals',
  topic: 'reports',
  needs: 'viewer',
  usage: ['proposals [<query>]', 'proposals <id | application uid>'],
  summary:
    'Search sent proposals. Covers followed profiles; an ID shows one in full. Only you see the results.',
  details: [
    'Type it as you would say it: `hired last month`, `from:mara viewed this week`, `is:won`.',
    '`/gig proposals 900` shows a proposal with its letter, answers, terms and result, by its ID or its ' +
      'application UID, also if no channel follows its profile.',
    'Without a query, you get the newest. ' +
      'It costs no credits, and covers profiles that any channel follows (`/gig subscribe outcomes`).',
    'Searches titles, letters and answers. ' +
      'Partial words match, and small typos are forgiven if nothing else matches. ' +
      `You can use "phrases", \`-without\`, and \`${listQualifiers(proposalSearchVocabulary)}\`.`,
    `\`is:\` accepts ${joinWithOr(PROPOSAL_OUTCOMES)}. ` +
      `\`sort:\` accepts ${joinWithOr(PROPOSAL_SORT_ORDERS)} (which needs search words).`,
  ].join('\n'),
  examples: [
    'proposals',
    'proposals 900',
    'proposals hired last month',
    'proposals react "booking site" is:viewed -is:hired',
    'proposals template:"Short pitch" after:30d sort:boost',
  ],
  isSlow: true,
  run,
};
