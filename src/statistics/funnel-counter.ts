/** Counts proposals one by one, in total and by group. */
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { type Funnel, hasReachedStage } from './funnel.ts';
import { assignToGroup, GROUP_DIMENSIONS, type GroupDimension, type GroupMembership } from './groups.ts';

/** The price paid, for the proposals with a known price. */
export interface ConnectsSpending {
  readonly proposals: number;
  /** As the marketplace reports them; its docs don't say whether boosts are included. */
  readonly connects: number;
  readonly interviewed: number;
  readonly hired: number;
}

export class FunnelCounter {
  sent = 0;
  viewed = 0;
  interviewed = 0;
  hired = 0;
  #proposals = 0;
  #connects = 0;
  #interviewed = 0;
  #hired = 0;

  add(proposal: ProposalWithoutTexts): void {
    const interviewed = hasReachedStage(proposal, 'interviewed');
    this.sent++;
    if (hasReachedStage(proposal, 'viewed')) this.viewed++;
    if (interviewed) this.interviewed++;
    if (proposal.hired) this.hired++;
    if (proposal.connects === undefined) return;
    this.#proposals++;
    // Documented as the connects spent. Whether they include the boost isn't documented, so the boost isn't
    // added.
    this.#connects += proposal.connects;
    if (interviewed) this.#interviewed++;
    if (proposal.hired) this.#hired++;
  }

  toFunnel(): Funnel {
    const { sent, viewed, interviewed, hired } = this;
    return { sent, viewed, interviewed, hired };
  }

  toSpending(): ConnectsSpending {
    return {
      proposals: this.#proposals,
      connects: this.#connects,
      interviewed: this.#interviewed,
      hired: this.#hired,
    };
  }
}

export interface CountedGroup {
  readonly place: GroupMembership;
  readonly count: FunnelCounter;
}

export class GroupedFunnelCounter {
  readonly all = new FunnelCounter();
  readonly #groups = new Map<GroupDimension, Map<string, CountedGroup>>(
    GROUP_DIMENSIONS.map((dimension) => [dimension, new Map()]),
  );

  /** @param weekday of the submission, 1 to 7. */
  add(proposal: ProposalWithoutTexts, weekday: number): void {
    this.all.add(proposal);
    for (const [dimension, groups] of this.#groups) {
      const place = assignToGroup(dimension, proposal, weekday);
      if (!place) continue;
      const known = groups.get(place.id) ?? { place, count: new FunnelCounter() };
      if (known.place === place) groups.set(place.id, known);
      known.count.add(proposal);
    }
  }

  listGroups(dimension: GroupDimension): readonly CountedGroup[] {
    return [...(this.#groups.get(dimension)?.values() ?? [])];
  }
}
