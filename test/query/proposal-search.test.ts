import { describe, expect, test } from 'vitest';
import { OrganizationId, ProfileId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { matchesQuery } from '../../src/query/match-query.ts';
import { parseProposalSearch, proposalFieldValue } from '../../src/query/proposal-search.ts';
import { plainProposal, whatBecame } from '../plain-proposal.ts';
import { proposalSearchSubject } from './proposal-subject.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;

const full: Partial<Proposal> = {
  submittedAt: NOW - 3 * DAY,
  jobTitle: 'Booking site',
  coverLetter: 'I build with React.',
  answers: [{ question: 'Do you know Stripe?', answer: 'Since 2019.' }],
  template: { id: 501, name: 'Short letter' },
  variant: 'A',
  profile: { id: ProfileId.parse(11), label: 'Studio' },
  organization: { id: OrganizationId.parse(3), label: 'North Agency' },
  freelancer: { id: 71, name: 'Eva Lind' },
  businessManager: { id: 81, name: 'Farid Khan' },
  occupationUid: 'occ-1',
  occupation: 'Front-End Development',
  connects: 12,
  boost: 30,
  position: 4,
};
const bare = { ...plainProposal(2), coverLetter: 'Nothing else' };

function read(written: string) {
  const search = parseProposalSearch(written);
  if (search.kind === 'mistake') throw new Error(search.message);
  return search;
}

function finds(written: string, proposal: Partial<Proposal> = full): boolean {
  return matchesQuery(read(written).filter, proposalSearchSubject({ ...bare, ...proposal }, NOW));
}

describe('a proposal is found', () => {
  test.each([
    ['booking react stripe 2019'],
    ['"short letter" lind "front end"'],
    ['template:501 template:short'],
    ['variant:a'],
    ['profile:11 profile:studio'],
    ['organization:3 organization:north'],
    ['freelancer:71 freelancer:eva'],
    ['manager:81 manager:khan'],
    ['occupation:occ-1 occupation:"front end"'],
    ['connects:12 boost:>20 position:<=4'],
    ['after:4d before:2d'],
  ])('by %s', (written) => {
    expect(finds(written)).toBe(true);
    expect(finds(written, { coverLetter: 'x' })).toBe(false);
  });

  test.each(whatBecame)('by what became of it: is:%s', (outcome, became) => {
    expect(finds(`is:${outcome}`, became)).toBe(true);
    expect(finds(`is:${outcome}`, {})).toBe(false);
    expect(proposalFieldValue({ ...bare, ...became }, 'is')).toEqual([outcome]);
  });

  test('but no phrase reaches from one of its texts into the next', () => {
    expect(finds('"site i"')).toBe(false);
    expect(finds('"stripe since"')).toBe(false);
    expect(finds('"booking site"')).toBe(true);
    expect(proposalSearchSubject({ ...bare, jobTitle: 'Logo', answers: [] }, NOW).text).toBe(
      'Logo | Nothing else',
    );
  });

  test('by its occupation, of which only the name or only the id may be known', () => {
    expect(proposalFieldValue({ ...bare, occupation: 'Design' }, 'occupation')).toEqual({ name: 'Design' });
    expect(proposalFieldValue({ ...bare, occupationUid: 'o1' }, 'occupation')).toEqual({ id: 'o1' });
    expect(proposalFieldValue(bare, 'occupation')).toBeUndefined();
  });

  test('and where something is not known of it, by that this is excluded alone', () => {
    for (const name of ['template', 'variant', 'organization', 'freelancer', 'manager', 'occupation'])
      expect(proposalFieldValue(bare, name)).toBeUndefined();
    for (const name of ['size', 'constructor', '__proto__'])
      expect(proposalFieldValue(bare, name)).toBeUndefined();
  });
});

describe('a search', () => {
  test('has an order apart from what is to be found', () => {
    expect(read('react sort:boost').order).toBe('boost');
    expect(read('react sort:boost').filter).toEqual(read('react').query);
    expect(read('react sort:boost').query.terms).toHaveLength(2);
    expect(read('template:boost sort:oldest').order).toBe('oldest');
  });

  test('shows the newest first where nothing is said', () => {
    expect(read('react').order).toBe('newest');
    expect(read('boost').order).toBe('newest');
    expect(read('template:boost').order).toBe('newest');
  });

  test('that is wrong says so', () => {
    expect(parseProposalSearch('sort:size')).toMatchObject({ kind: 'mistake' });
  });
});
