/**
 * Channels whose ID Slack changed, such as a private channel that was converted. Gigdesk's records keep a
 * channel's first ID (“inside”); everything to and from Slack uses its current one (“outside”).
 */
import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import { ChannelId } from '../../ids.ts';
import { collection, type Store } from '../../storage/store.ts';

const ChannelAlias = z.object({ inside: ChannelId, outside: ChannelId });

export const channelAliases = collection({
  name: 'channel-aliases',
  schema: ChannelAlias,
  key: (it) => [it.inside],
});

type IdMap = ReadonlyMap<string, string>;

function replaceIds(text: string, ids: IdMap): string {
  return text.replace(/(?<![A-Za-z0-9])[CG][A-Z0-9]+/gu, (id) => ids.get(id) ?? id);
}

function replaceInJson<T>(value: T, ids: IdMap): T {
  return ids.size === 0 || value === undefined ? value : JSON.parse(replaceIds(JSON.stringify(value), ids));
}

function replaceInForm(form: string, ids: IdMap): string {
  const fields = new URLSearchParams(form);
  for (const name of new Set(fields.keys())) fields.set(name, replaceIds(fields.get(name) ?? '', ids));
  return fields.toString();
}

export class ChannelAliases {
  readonly #inside = new Map<string, ChannelId>();
  readonly #outside = new Map<string, ChannelId>();

  async load(store: Pick<Store, 'read'>): Promise<void> {
    // More conversions than any workspace has.
    const stored = await store.read((tx) => tx.list(channelAliases, { limit: 10_000 }));
    for (const { value } of stored) this.#set(value.inside, value.outside);
  }

  /** @param body JSON from Slack */
  toInside<T>(body: T): T {
    return replaceInJson(body, this.#inside);
  }

  /** @param body JSON for Slack */
  toOutside<T>(body: T): T {
    return replaceInJson(body, this.#outside);
  }

  /** A fetch for Slack's Web API, which takes forms and returns JSON. */
  wrapFetch(fetch: FetchFunction): FetchFunction {
    return async (input, init) => {
      if (this.#outside.size === 0) return fetch(input, init);
      const body = typeof init?.body === 'string' ? replaceInForm(init.body, this.#outside) : init?.body;
      const answer = await fetch(input, { ...init, body });
      const { ok, status, statusText, url, headers } = answer;
      const text = replaceIds(await answer.text(), this.#inside);
      return {
        ok,
        status,
        statusText,
        url,
        headers,
        text: async () => text,
        json: async (): Promise<unknown> => JSON.parse(text),
        arrayBuffer: async () => new TextEncoder().encode(text).buffer,
      };
    };
  }

  /** Stores a change, for good. @param from its ID before, as Slack named it @returns its ID here */
  async recordChange(store: Store, from: ChannelId, to: ChannelId): Promise<ChannelId> {
    const inside = this.#inside.get(from) ?? from;
    await store.transact((tx) =>
      inside === to ? tx.delete(channelAliases, [inside]) : tx.put(channelAliases, { inside, outside: to }),
    );
    this.#set(inside, to);
    return inside;
  }

  #set(inside: ChannelId, outside: ChannelId): void {
    const before = this.#outside.get(inside);
    if (before) this.#inside.delete(before);
    this.#outside.delete(inside);
    if (inside === outside) return;
    this.#outside.set(inside, outside);
    this.#inside.set(outside, inside);
  }
}
