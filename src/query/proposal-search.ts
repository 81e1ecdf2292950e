/** The proposal search: its qualifiers, and what they and words compare. Pure. */
import type { Proposal, ProposalWithoutTexts } from '../marketplace/schema.ts';
import type { FieldValue } from './match-query.ts';
import { parseQuery } from './parse-query.ts';
import type { QualifierTerm, QueryTerm, QueryVocabulary } from './query.ts';

export const PROPOSAL_SORT_ORDERS = [
  'newest',
  'oldest',
  'connects',
  'boost',
  'position',
  'relevance',
] as const;
export type ProposalSortOrder = (typeof PROPOSAL_SORT_ORDERS)[number];

/** The values of `is:`. */
export const PROPOSAL_OUTCOMES = [
  'viewed',
  'interviewed',
  'hired',
  'withdrawn',
  'archived',
  'invitation',
  'outbid',
] as const;

export const proposalSearchVocabulary: QueryVocabulary = {
  of: 'proposal search',
  qualifiers: {
    is: { kind: 'choice', choices: PROPOSAL_OUTCOMES },
    template: { kind: 'text' },
    variant: { kind: 'text' },
    profile: { kind: 'text' },
    organization: { kind: 'text' },
    freelancer: { kind: 'text' },
    manager: { kind: 'text' },
    occupation: { kind: 'text' },
    connects: { kind: 'number', sample: '>=10' },
    boost: { kind: 'number', sample: '>=20' },
    position: { kind: 'number', sample: '<=5' },
    after: { kind: 'date' },
    before: { kind: 'date' },
    sort: { kind: 'order', choices: PROPOSAL_SORT_ORDERS, withWords: ['relevance'] },
  },
  example: 'react "booking site" is:viewed -is:hired after:30d sort:boost',
  alternatives:
    'For alternatives, separate values with commas, as in is:viewed,invitation. ' +
    'For anything else, run separate searches.',
};

/** @returns `filter`: the query without `sort:` */
export function parseProposalSearch(written: string) {
  const parsed = parseQuery(written, proposalSearchVocabulary);
  if (parsed.kind === 'mistake') return parsed;
  const { terms } = parsed.query;
  const order = PROPOSAL_SORT_ORDERS.find((name) =>
    terms.some((term) => isSort(term) && term.value === name),
  );
  const filter = { terms: terms.filter((term) => !isSort(term)) };
  return { kind: 'search', query: parsed.query, filter, order: order ?? 'newest' } as const;
}

function isSort(term: QueryTerm): term is QualifierTerm {
  return term.kind === 'qualifier' && term.name === 'sort';
}

/** The text that words search; a phrase never spans two parts. */
export function proposalSearchText(proposal: Proposal): string {
  const { jobTitle, coverLetter, answers, template, freelancer, occupation } = proposal;
  const written = answers.flatMap(({ question, answer }) => [question, answer]);
  const names = [template?.name, freelancer?.name, occupation];
  return [jobTitle, coverLetter, ...written, ...names].filter((part) => part !== undefined).join(' | ');
}

export function proposalFieldValue(proposal: ProposalWithoutTexts, name: string): FieldValue {
  const read = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  return read?.(proposal);
}

const FIELDS: Readonly<Record<string, (proposal: ProposalWithoutTexts) => FieldValue>> = {
  is: (proposal) => listOutcomes(proposal),
  template: ({ template }) => template,
  variant: ({ variant }) => (variant === undefined ? undefined : { name: variant }),
  profile: ({ profile }) => profile && { id: profile.id, name: profile.label },
  organization: ({ organization }) => organization && { id: organization.id, name: organization.label },
  freelancer: ({ freelancer }) => freelancer,
  manager: ({ businessManager }) => businessManager,
  occupation: ({ occupationUid: id, occupation: name }) =>
    id === undefined && name === undefined ? undefined : { id, name },
  connects: ({ connects }) => connects,
  boost: ({ boost }) => boost,
  position: ({ position }) => position,
  after: ({ submittedAt }) => submittedAt,
  before: ({ submittedAt }) => submittedAt,
};

/** Written out for speed, since it runs for every proposal. */
function listOutcomes(proposal: ProposalWithoutTexts): readonly (typeof PROPOSAL_OUTCOMES)[number][] {
  const outcomes: (typeof PROPOSAL_OUTCOMES)[number][] = [];
  if (proposal.viewed) outcomes.push('viewed');
  if (proposal.interviewed) outcomes.push('interviewed');
  if (proposal.hired) outcomes.push('hired');
  if (proposal.withdrawn) outcomes.push('withdrawn');
  if (proposal.archived) outcomes.push('archived');
  if (proposal.fromInvitation) outcomes.push('invitation');
  if (proposal.boostOutbid) outcomes.push('outbid');
  return outcomes;
}
