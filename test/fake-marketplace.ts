/** A marketplace object for tests: it answers as told, and remembers what it was asked. */
import type { MarketplaceClient } from '../src/marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../src/marketplace/errors.ts';

type Calls = { readonly name: keyof MarketplaceClient; readonly parameters: readonly unknown[] }[];

/** What a call ends in that had no effect. */
export function failure(code: MarketplaceErrorCode, details = {}): MarketplaceError {
  return new MarketplaceError(code, 'none', code, details);
}

export interface FakeMarketplace {
  readonly marketplace: MarketplaceClient;
  /** In the order in which they came. */
  readonly calls: Calls;
}

/** A marketplace that answers nothing. @param why it should not have been asked */
export function unaskedMarketplace(why: string): MarketplaceClient {
  function unexpected(name: keyof MarketplaceClient): () => Promise<never> {
    return () => Promise.reject(new Error(`the marketplace was asked for ${name}, ${why}`));
  }
  return {
    fixedPageSize: () => undefined,
    fetchFilterProjects: unexpected('fetchFilterProjects'),
    fetchResultProjects: unexpected('fetchResultProjects'),
    lookUpProject: unexpected('lookUpProject'),
    fetchFilterResults: unexpected('fetchFilterResults'),
    fetchProposals: unexpected('fetchProposals'),
    fetchProposal: unexpected('fetchProposal'),
    fetchProposalByUid: unexpected('fetchProposalByUid'),
    fetchInvitations: unexpected('fetchInvitations'),
    createProposalTemplate: unexpected('createProposalTemplate'),
    fetchProposalTemplate: unexpected('fetchProposalTemplate'),
    fetchProposalSenders: unexpected('fetchProposalSenders'),
    createJob: unexpected('createJob'),
    approveJob: unexpected('approveJob'),
    fetchJobStatus: unexpected('fetchJobStatus'),
    fetchBiddingSetups: unexpected('fetchBiddingSetups'),
    fetchNamedEntities: unexpected('fetchNamedEntities'),
    close: () => Promise.resolve(),
  };
}

/** @param answers what each call does; a call that is not among them fails the test that causes it */
export function fakeMarketplace(answers: Partial<MarketplaceClient>): FakeMarketplace {
  const calls: Calls = [];
  function noting<N extends keyof MarketplaceClient>(
    name: N,
    answer: (...asked: Parameters<MarketplaceClient[N]>) => ReturnType<MarketplaceClient[N]>,
  ) {
    return (...asked: Parameters<MarketplaceClient[N]>) => {
      calls.push({ name, parameters: asked });
      return answer(...asked);
    };
  }
  const all: MarketplaceClient = { ...unaskedMarketplace('which this test does not expect'), ...answers };
  const marketplace: MarketplaceClient = {
    fixedPageSize: (of) => all.fixedPageSize(of),
    fetchFilterProjects: noting('fetchFilterProjects', (...asked) => all.fetchFilterProjects(...asked)),
    fetchResultProjects: noting('fetchResultProjects', (...asked) => all.fetchResultProjects(...asked)),
    lookUpProject: noting('lookUpProject', (...asked) => all.lookUpProject(...asked)),
    fetchFilterResults: noting('fetchFilterResults', (...asked) => all.fetchFilterResults(...asked)),
    fetchProposals: noting('fetchProposals', (...asked) => all.fetchProposals(...asked)),
    fetchProposal: noting('fetchProposal', (...asked) => all.fetchProposal(...asked)),
    fetchProposalByUid: noting('fetchProposalByUid', (...asked) => all.fetchProposalByUid(...asked)),
    fetchInvitations: noting('fetchInvitations', (...asked) => all.fetchInvitations(...asked)),
    createProposalTemplate: noting('createProposalTemplate', (...asked) =>
      all.createProposalTemplate(...asked),
    ),
    fetchProposalTemplate: noting('fetchProposalTemplate', (...asked) => all.fetchProposalTemplate(...asked)),
    fetchProposalSenders: noting('fetchProposalSenders', (...asked) => all.fetchProposalSenders(...asked)),
    createJob: noting('createJob', (...asked) => all.createJob(...asked)),
    approveJob: noting('approveJob', (...asked) => all.approveJob(...asked)),
    fetchJobStatus: noting('fetchJobStatus', (...asked) => all.fetchJobStatus(...asked)),
    fetchBiddingSetups: noting('fetchBiddingSetups', (...asked) => all.fetchBiddingSetups(...asked)),
    fetchNamedEntities: noting('fetchNamedEntities', (...asked) => all.fetchNamedEntities(...asked)),
    close: noting('close', (...asked) => all.close(...asked)),
  };
  return { marketplace, calls };
}
