/** A marketplace object for tests: it answers as told, and remembers what it was asked. */
import type { Marketplace } from '../src/marketplace/client.ts';

type Calls = { readonly name: keyof Marketplace; readonly parameters: readonly unknown[] }[];

export interface FakeMarketplace {
  readonly marketplace: Marketplace;
  /** In the order in which they came. */
  readonly calls: Calls;
}

/** @param answers what each call does; a call that is not among them fails the test that causes it */
export function fakeMarketplace(answers: Partial<Marketplace>): FakeMarketplace {
  const calls: Calls = [];
  function unexpected(name: keyof Marketplace): () => Promise<never> {
    return () =>
      Promise.reject(new Error(`the marketplace was asked for ${name}, which this test does not expect`));
  }
  function noting<P extends readonly unknown[], R>(
    name: keyof Marketplace,
    answer: (...parameters: P) => Promise<R>,
  ): (...parameters: P) => Promise<R> {
    return (...parameters) => {
      calls.push({ name, parameters });
      return answer(...parameters);
    };
  }
  const all: Marketplace = {
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
    close: () => Promise.resolve(),
    ...answers,
  };
  const marketplace: Marketplace = {
    filterProjects: noting('filterProjects', all.filterProjects),
    resultProjects: noting('resultProjects', all.resultProjects),
    lookup: noting('lookup', all.lookup),
    filterResults: noting('filterResults', all.filterResults),
    proposals: noting('proposals', all.proposals),
    proposal: noting('proposal', all.proposal),
    proposalByUid: noting('proposalByUid', all.proposalByUid),
    invitations: noting('invitations', all.invitations),
    createTemplate: noting('createTemplate', all.createTemplate),
    template: noting('template', all.template),
    proposalSenders: noting('proposalSenders', all.proposalSenders),
    createJob: noting('createJob', all.createJob),
    approveJob: noting('approveJob', all.approveJob),
    jobStatus: noting('jobStatus', all.jobStatus),
    setups: noting('setups', all.setups),
    close: noting('close', all.close),
  };
  return { marketplace, calls };
}
