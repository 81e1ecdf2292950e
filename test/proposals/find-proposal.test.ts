import { describe, expect, it } from 'vitest';
import { ProposalId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { findProposal, parseProposalReference } from '../../src/proposals/proposals.ts';
import { StorageError } from '../../src/storage/store.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { plainProposal } from '../plain-proposal.ts';

const PROPOSAL = plainProposal(900);
const id = (number: number) => ProposalId.parse(number);

function none(): Promise<never> {
  return Promise.reject(new MarketplaceError('not-found', 'none', 'no such proposal'));
}

function sources(
  held: readonly Proposal[],
  answers: Parameters<typeof fakeMarketplace>[0] = {},
  take: (taken: Proposal) => Promise<void> = async () => undefined,
) {
  const taken: Proposal[] = [];
  const { marketplace, calls } = fakeMarketplace({
    fetchProposal: none,
    fetchProposalByUid: none,
    ...answers,
  });
  return {
    taken,
    calls,
    parts: {
      mirror: {
        get: (wanted: number) => held.find((each) => each.id === wanted),
        getByApplicationUid: (uid: string) => held.find((each) => each.applicationUid === uid),
        addFetchedProposal: async (each: Proposal) => {
          taken.push(each);
          await take(each);
        },
      },
      marketplace,
      log: silentLog,
    },
  };
}

describe('one proposal', () => {
  it('comes out of the mirror where it is kept, by its id or its uid', async () => {
    const { parts, calls } = sources([{ ...PROPOSAL, applicationUid: 'u-1' }]);
    const found = { kind: 'found', from: 'mirror', proposal: { ...PROPOSAL, applicationUid: 'u-1' } };
    expect(await findProposal(parts, { id: id(900) })).toEqual(found);
    expect(await findProposal(parts, { uid: 'u-1' })).toEqual(found);
    expect(calls).toEqual([]);
  });

  it('is else asked for, and handed to the mirror', async () => {
    const { parts, calls, taken } = sources([], { fetchProposal: async () => PROPOSAL });
    const found = await findProposal(parts, { id: id(900), uid: '900' });
    expect(found).toMatchObject({ kind: 'found', from: 'marketplace' });
    expect(taken).toEqual([PROPOSAL]);
    expect(calls).toEqual([{ name: 'fetchProposal', parameters: [900, { lane: 'person' }] }]);
  });

  it('of digits that are no id is asked for by its uid', async () => {
    const { parts, calls } = sources([], { fetchProposalByUid: async () => PROPOSAL });
    expect(await findProposal(parts, { id: id(12), uid: '12' })).toMatchObject({ kind: 'found' });
    expect(calls.map(({ name }) => name)).toEqual(['fetchProposal', 'fetchProposalByUid']);
  });

  it('that is not there is no fault; anything else is', async () => {
    expect(await findProposal(sources([]).parts, { id: id(12), uid: '12' })).toEqual({
      kind: 'none',
    });
    const failing = sources([], {
      fetchProposal: () => Promise.reject(new MarketplaceError('server', 'unknown', 'oh')),
    });
    await expect(findProposal(failing.parts, { id: id(12) })).rejects.toThrow(MarketplaceError);
  });

  it('is shown although it could not be kept', async () => {
    const full = () => Promise.reject(new StorageError('full', 'no room'));
    const { parts } = sources([], { fetchProposal: async () => PROPOSAL }, full);
    expect(await findProposal(parts, { id: id(900) })).toMatchObject({ kind: 'found' });
  });
});

describe('what somebody means', () => {
  it.each([
    ['900', { id: 900, uid: '900' }],
    [' #900 ', { id: 900 }],
    ['1795165021234567890', { uid: '1795165021234567890' }],
    ['~01ab-cd', { uid: '~01ab-cd' }],
    ['5f3c-17ab-90de-44aa', { uid: '5f3c-17ab-90de-44aa' }],
    ['wordpress', undefined],
    ['react19', undefined],
    ['after:2026-01-01', undefined],
    ['internationalization', undefined],
    ['-90de-5f3c-17ab-44aa', undefined],
    ['0', undefined],
    ['000', undefined],
    ['', undefined],
    ['two words', undefined],
    ['<!channel>', undefined],
    ['x'.repeat(101), undefined],
  ])('by “%s”', (words, meant) => {
    expect(parseProposalReference(words)).toEqual(meant);
  });
});
