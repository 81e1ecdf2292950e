/** A marketplace object with scripted answers that records its calls. */
import type { MarketplaceClient } from '../src/marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../src/marketplace/errors.ts';

type Calls = { readonly name: keyof MarketplaceClient; readonly parameters: readonly unknown[] }[];

/** The result of a call without effect. */
export function failure(code: MarketplaceErrorCode, details = {}): MarketplaceError {
  return new MarketplaceError(code, 'none', code, details);
}

export interface FakeMarketplace {
  readonly marketplace: MarketplaceClient;
  /** In call order. */
  readonly calls: Calls;
}

/** A marketplace that fails every call. @param why the end of the error message */
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

/** @param answers each call's result; any other call fails the test */
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
