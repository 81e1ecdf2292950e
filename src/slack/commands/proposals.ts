import { PROPOSAL_ORDERS, PROPOSAL_OUTCOMES, proposalSearch } from '../../query/proposal-search.ts';
import { drawProposals } from '../actions/proposals-draw.ts';
import { either } from '../messages/parts.ts';
import type { CommandRoute } from '../routes.ts';

const QUALIFIERS = Object.keys(proposalSearch.qualifiers)
  .map((name) => `${name}:`)
  .join(' ');

export const proposals: CommandRoute = {
  word: 'proposals',
  topic: 'proposals',
  needs: 'viewer',
  usage: ['proposals [<query>]'],
  summary: 'Search the proposals of followed profiles. Only you see the results until you share them.',
  details: [
    'Without a query, you get the newest. It costs no credits, and covers profiles that any channel follows (`/gig subscribe outcomes`).',
    `Searches titles, letters and answers. Partial words match, and small typos are forgiven if nothing else matches. You can use "phrases", \`-without\`, and \`${QUALIFIERS}\`.`,
    `\`is:\` accepts ${either(PROPOSAL_OUTCOMES)}. \`sort:\` accepts ${either(PROPOSAL_ORDERS)} (which needs search words).`,
  ].join('\n'),
  examples: [
    'proposals',
    'proposals react "booking site" is:viewed -is:hired',
    'proposals template:"Short pitch" after:30d sort:boost',
  ],
  run: async (call) => call.answer(await drawProposals(call, { query: call.args, page: 1 })),
};
