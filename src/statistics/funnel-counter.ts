/** Counts proposals one by one, in all and by group. */
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { type Funnel, hasReached } from './funnel.ts';
import { assignToGroup, DIMENSIONS, type Dimension, type GroupMembership } from './groups.ts';

/** What was paid, of the proposals of which the marketplace tells it. */
export interface ConnectsSpending {
  readonly proposals: number;
  /** With boosts. */
  readonly connects: number;
  readonly interviewed: number;
  readonly hired: number;
}

/** A funnel with its price that grows. */
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
    const interviewed = hasReached(proposal, 'interviewed');
    this.sent++;
    if (hasReached(proposal, 'viewed')) this.viewed++;
    if (interviewed) this.interviewed++;
    if (proposal.hired) this.hired++;
    if (proposal.connects === undefined) return;
    this.#proposals++;
    // What was spent, as documented; whether the boost is among it is not, so it is not added.
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
  readonly #groups = new Map<Dimension, Map<string, CountedGroup>>(
    DIMENSIONS.map((dimension) => [dimension, new Map()]),
  );

  /** @param weekday on which it was submitted, 1 to 7. */
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

  listGroups(dimension: Dimension): readonly CountedGroup[] {
    return [...(this.#groups.get(dimension)?.values() ?? [])];
  }
}
