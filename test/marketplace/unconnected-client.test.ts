import { describe, expect, it } from 'vitest';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { RequestPermit } from '../../src/marketplace/gate/gate.ts';
import { createUnconnectedClient } from '../../src/marketplace/http-client.ts';

const id = (value: number) => value as never;
const page = { profile: id(1) };

type Options = Parameters<MarketplaceClient['fetchBiddingSetups']>[0];

const calls: Readonly<
  Record<Exclude<keyof MarketplaceClient, 'fixedPageSize' | 'close'>, (o: Options) => Promise<unknown>>
> = {
  fetchFilterProjects: (options) => createUnconnectedClient().fetchFilterProjects(id(1), {}, options),
  fetchResultProjects: (options) => createUnconnectedClient().fetchResultProjects(id(1), {}, options),
  lookUpProject: (options) => createUnconnectedClient().lookUpProject({ ciphertext: '~01' }, options),
  fetchFilterResults: (options) => createUnconnectedClient().fetchFilterResults(id(1), {}, options),
  fetchProposals: (options) => createUnconnectedClient().fetchProposals(page, options),
  fetchProposal: (options) => createUnconnectedClient().fetchProposal(id(1), options),
  fetchProposalByUid: (options) => createUnconnectedClient().fetchProposalByUid('1', options),
  fetchInvitations: (options) => createUnconnectedClient().fetchInvitations(page, options),
  createProposalTemplate: (options) => createUnconnectedClient().createProposalTemplate({} as never, options),
  fetchProposalTemplate: (options) => createUnconnectedClient().fetchProposalTemplate(id(1), options),
  fetchProposalSenders: (options) => createUnconnectedClient().fetchProposalSenders(options),
  createJob: (options) =>
    createUnconnectedClient().createJob({ setup: id(1), marketplaceJobId: '~01' }, options),
  approveJob: (options) => createUnconnectedClient().approveJob(id(1), options),
  fetchJobStatus: (options) => createUnconnectedClient().fetchJobStatus(id(1), options),
  fetchBiddingSetups: (options) => createUnconnectedClient().fetchBiddingSetups(options),
  fetchNamedEntities: (options) => createUnconnectedClient().fetchNamedEntities('filter', options),
};

describe('without a token', () => {
  it.each(Object.entries(calls))('%s fails without effect, and frees its place', async (_name, call) => {
    const ends: string[] = [];
    const permit: RequestPermit = {
      cancel: () => ends.push('canceled'),
      finish: () => ends.push('finished'),
    };
    const thrown: unknown = await call({ lane: 'feed', permit }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(MarketplaceError);
    expect(thrown).toMatchObject({ code: 'not-connected', effect: 'none' });
    expect(ends).toEqual(['canceled']);
  });
});
