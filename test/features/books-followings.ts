/** Subscription history of each channel, and so the projects due there. */
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { Subscription } from '../../src/feed/records.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';

interface Following {
  readonly channel: string;
  readonly filter: number;
  readonly rules: string;
  readonly from: number;
  until: number;
}

function letsThrough(rules: string, title: string): boolean {
  if (rules === '-zebra') return !title.includes('zebra');
  return rules === '' || title.includes(rules);
}

export class Followings {
  readonly #all = new Map<string, Following>();
  /** Client countries that the channel has ever muted, as `channel country`. */
  readonly #muted = new Set<string>();
  /** How far the app's clock may have been wrong. Milliseconds. */
  wrongBy = 0;

  note({ channel, filter, rules, createdAt, startsAt }: Subscription): void {
    const key = `${channel} ${filter} ${createdAt} ${rules}`;
    if (this.#all.has(key)) return;
    this.#all.set(key, { channel, filter, rules, from: startsAt, until: Number.POSITIVE_INFINITY });
  }

  end(channel: string, filter: number, at: number): void {
    for (const each of this.#all.values())
      if (each.channel === channel && each.filter === filter) each.until = Math.min(each.until, at);
  }

  noteMute(channel: string, country: string): void {
    this.#muted.add(`${channel} ${country}`);
  }

  #ofChannel(channel: string): readonly Following[] {
    return [...this.#all.values()].filter((each) => each.channel === channel);
  }

  /** The projects that must be posted there. */
  due(channel: string, published: readonly ProjectWithFilterIds[]): string[] {
    const ofChannel = this.#ofChannel(channel);
    return published.flatMap((project) => {
      if (this.#muted.has(`${channel} ${project.client.country}`)) return [];
      const wanted = project.filterIds.some((filter) => {
        const lasting = ofChannel.filter(
          (each) => each.filter === filter && each.until === Number.POSITIVE_INFINITY,
        );
        // Rules changed in between may have excluded it.
        return (
          lasting.length > 0 &&
          lasting.every(
            (each) =>
              each.from + this.wrongBy <= project.publishedAt && letsThrough(each.rules, project.title),
          )
        );
      });
      return wanted ? [project.ciphertext] : [];
    });
  }

  /** The projects that may be posted there, despite changes in between. */
  allowed(channel: string, published: readonly ProjectWithFilterIds[]): Set<string> {
    const ofChannel = this.#ofChannel(channel);
    const fits = (each: Following, project: ProjectWithFilterIds) =>
      project.filterIds.includes(each.filter) &&
      Math.floor((each.from - this.wrongBy) / SECOND) * SECOND <= project.publishedAt &&
      project.publishedAt <= each.until + MINUTE + this.wrongBy &&
      letsThrough(each.rules, project.title);
    return new Set(
      published.filter((it) => ofChannel.some((each) => fits(each, it))).map((it) => it.ciphertext),
    );
  }
}
