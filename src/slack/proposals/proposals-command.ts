import {
  PROPOSAL_OUTCOMES,
  PROPOSAL_SORT_ORDERS,
  proposalSearchVocabulary,
} from '../../query/proposal-search.ts';
import type { CommandRoute } from '../core/routes.ts';
import { joinWithOr } from '../kit/block-builders.ts';
import { renderProposalsPage } from './render-proposals.ts';

const QUALIFIERS = Object.keys(proposalSearchVocabulary.qualifiers)
  .map((name) => `${name}:`)
  .join(' ');

export const proposalsCommand: CommandRoute = {
  word: 'proposals',
  topic: 'proposals',
  needs: 'viewer',
  usage: ['proposals [<query>]'],
  summary: 'Search the proposals of followed profiles. Only you see the results until you share them.',
  details: [
    'Without a query, you get the newest. ' +
      'It costs no credits, and covers profiles that any channel follows (`/gig subscribe outcomes`).',
    'Searches titles, letters and answers. ' +
      'Partial words match, and small typos are forgiven if nothing else matches. ' +
      `You can use "phrases", \`-without\`, and \`${QUALIFIERS}\`.`,
    `\`is:\` accepts ${joinWithOr(PROPOSAL_OUTCOMES)}. ` +
      `\`sort:\` accepts ${joinWithOr(PROPOSAL_SORT_ORDERS)} (which needs search words).`,
  ].join('\n'),
  examples: [
    'proposals',
    'proposals react "booking site" is:viewed -is:hired',
    'proposals template:"Short pitch" after:30d sort:boost',
  ],
  run: async (call) => call.answer(await renderProposalsPage(call, { query: call.args, page: 1 })),
};
