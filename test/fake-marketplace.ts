/** A marketplace object for tests: it answers as told, and remembers what it was asked. */
import type { Marketplace } from '../src/marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../src/marketplace/errors.ts';

type Calls = { readonly name: keyof Marketplace; readonly parameters: readonly unknown[] }[];

/** What a call ends in that had no effect. */
export function failure(code: MarketplaceErrorCode, details = {}): MarketplaceError {
  return new MarketplaceError(code, 'none', code, details);
}

export interface FakeMarketplace {
  readonly marketplace: Marketplace;
  /** In the order in which they came. */
  readonly calls: Calls;
}

/** A marketplace that answers nothing. @param why it should not have been asked */
export function unaskedMarketplace(why: string): Marketplace {
  function unexpected(name: keyof Marketplace): () => Promise<never> {
    return () => Promise.reject(new Error(`the marketplace was asked for ${name}, ${why}`));
  }
  return {
    fixedPage: () => undefined,
    filterProjects: unexpected('filterProjects'),
    resultProjects: unexpected('resultProjects'),
    lookup: unexpected('lookup'),
    filterResults: unexpected('filterResults'),
    proposals: unexpected('proposals'),
    proposal: unexpected('proposal'),
    proposalByUid: unexpected('proposalByUid'),
    invitations: unexpected('invitations'),
    createTemplate: unexpected('createTemplate'),
    template: unexpected('template'),
    proposalSenders: unexpected('proposalSenders'),
    createJob: unexpected('createJob'),
    approveJob: unexpected('approveJob'),
    jobStatus: unexpected('jobStatus'),
    setups: unexpected('setups'),
    names: unexpected('names'),
    close: () => Promise.resolve(),
  };
}

/** @param answers what each call does; a call that is not among them fails the test that causes it */
export function fakeMarketplace(answers: Partial<Marketplace>): FakeMarketplace {
  const calls: Calls = [];
  function noting<N extends keyof Marketplace>(
    name: N,
    answer: (...asked: Parameters<Marketplace[N]>) => ReturnType<Marketplace[N]>,
  ) {
    return (...asked: Parameters<Marketplace[N]>) => {
      calls.push({ name, parameters: asked });
      return answer(...asked);
    };
  }
  const all: Marketplace = { ...unaskedMarketplace('which this test does not expect'), ...answers };
  const marketplace: Marketplace = {
    fixedPage: (of) => all.fixedPage(of),
    filterProjects: noting('filterProjects', (...asked) => all.filterProjects(...asked)),
    resultProjects: noting('resultProjects', (...asked) => all.resultProjects(...asked)),
    lookup: noting('lookup', (...asked) => all.lookup(...asked)),
    filterResults: noting('filterResults', (...asked) => all.filterResults(...asked)),
    proposals: noting('proposals', (...asked) => all.proposals(...asked)),
    proposal: noting('proposal', (...asked) => all.proposal(...asked)),
    proposalByUid: noting('proposalByUid', (...asked) => all.proposalByUid(...asked)),
    invitations: noting('invitations', (...asked) => all.invitations(...asked)),
    createTemplate: noting('createTemplate', (...asked) => all.createTemplate(...asked)),
    template: noting('template', (...asked) => all.template(...asked)),
    proposalSenders: noting('proposalSenders', (...asked) => all.proposalSenders(...asked)),
    createJob: noting('createJob', (...asked) => all.createJob(...asked)),
    approveJob: noting('approveJob', (...asked) => all.approveJob(...asked)),
    jobStatus: noting('jobStatus', (...asked) => all.jobStatus(...asked)),
    setups: noting('setups', (...asked) => all.setups(...asked)),
    names: noting('names', (...asked) => all.names(...asked)),
    close: noting('close', (...asked) => all.close(...asked)),
  };
  return { marketplace, calls };
}
