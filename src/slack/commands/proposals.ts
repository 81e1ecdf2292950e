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
  summary: 'Searches the proposals of followed profiles; only you see what it finds, until you share it.',
  details: [
    'Without a query: the newest. It costs no credits; profiles that some channel follows are covered (`/gig subscribe outcomes`).',
    `Words are looked for in titles, letters and answers, by their beginnings, too; when nothing is found, small typing errors are forgiven. "phrases", \`-without\`, and \`${QUALIFIERS}\`.`,
    `Behind \`is:\` stands ${either(PROPOSAL_OUTCOMES)}, behind \`sort:\` ${either(PROPOSAL_ORDERS)} (which needs words to look for).`,
  ].join('\n'),
  examples: [
    'proposals',
    'proposals react "booking site" is:viewed -is:hired',
    'proposals template:"Short pitch" after:30d sort:boost',
  ],
  run: async (call) => call.answer(await drawProposals(call, { query: call.args, page: 1 })),
};
