/** What channels were subscribed to, as people could tell, and so the projects due there. */
import { type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';

interface Subscription {
  readonly channel: string;
  readonly filter: number;
  /** Each rule that someone asked for, with its time. */
  readonly asked: { readonly rules: string; readonly at: Instant }[];
  /** When the list showed it first. */
  seenAt: Instant;
  /** When it was ended, or not yet. */
  endedAt: Instant;
}

const NEVER = Number.POSITIVE_INFINITY;

function letsThrough(rules: string, title: string): boolean {
  return rules.startsWith('-') ? !title.includes(rules.slice(1)) : title.includes(rules);
}

export class Subscriptions {
  readonly #all: Subscription[] = [];

  #current(channel: string, filter: number): Subscription | undefined {
    return this.#all.find((it) => it.channel === channel && it.filter === filter && it.endedAt === NEVER);
  }

  ask(channel: string, filter: number, rules: string, at: Instant): void {
    const current = this.#current(channel, filter);
    if (current) current.asked.push({ rules, at });
    else this.#all.push({ channel, filter, asked: [{ rules, at }], seenAt: NEVER, endedAt: NEVER });
  }

  /** These are in the channel's list now. */
  see(channel: string, filters: readonly number[], at: Instant): void {
    for (const filter of filters) {
      const current = this.#current(channel, filter);
      if (current) current.seenAt = Math.min(current.seenAt, at);
    }
  }

  end(channel: string, filter: number, at: Instant): void {
    const current = this.#current(channel, filter);
    if (current) current.endedAt = at;
  }

  /** The projects that must, and that may stand in the channel. */
  listFor(channel: string, published: readonly ProjectWithFilterIds[]) {
    const own = this.#all.filter((it) => it.channel === channel);
    const of = (holds: (it: Subscription, project: ProjectWithFilterIds) => boolean) =>
      published.filter((project) =>
        own.some((it) => project.filterIds.includes(it.filter) && holds(it, project)),
      );
    // Rules that changed in between may have left it out, or let it through.
    const due = of(
      (it, { publishedAt, title }) =>
        it.endedAt === NEVER &&
        it.seenAt <= publishedAt &&
        it.asked.every(({ rules }) => letsThrough(rules, title)),
    );
    const allowed = of(
      (it, { publishedAt, title }) =>
        publishedAt <= it.endedAt + MINUTE &&
        it.asked.some(({ rules, at }) => at - SECOND <= publishedAt && letsThrough(rules, title)),
    );
    return { due, allowed };
  }
}
