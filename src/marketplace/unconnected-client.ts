/** The client of a workspace without a marketplace token: it sends nothing. */
import type { MarketplaceCallOptions, MarketplaceClient } from './client.ts';
import { notConnectedError } from './failures.ts';

/** Every call fails with `not-connected` and takes no place at the gate: a permit it receives is canceled. */
export function createUnconnectedClient(): MarketplaceClient {
  const refuse = async ({ permit }: MarketplaceCallOptions): Promise<never> => {
    permit?.cancel();
    throw notConnectedError();
  };
  const refuseAbout = (_asked: unknown, options: MarketplaceCallOptions) => refuse(options);
  return {
    fixedPageSize: () => undefined,
    fetchFilterProjects: (_filter, _query, options) => refuse(options),
    fetchResultProjects: (_result, _query, options) => refuse(options),
    lookUpProject: refuseAbout,
    fetchFilterResults: (_filter, _query, options) => refuse(options),
    fetchProposals: refuseAbout,
    fetchProposal: refuseAbout,
    fetchProposalByUid: refuseAbout,
    fetchInvitations: refuseAbout,
    createProposalTemplate: refuseAbout,
    fetchProposalTemplate: refuseAbout,
    fetchProposalSenders: refuse,
    createJob: refuseAbout,
    approveJob: refuseAbout,
    fetchJobStatus: refuseAbout,
    fetchBiddingSetups: refuse,
    fetchNamedEntities: refuseAbout,
    close: () => Promise.resolve(),
  };
}
