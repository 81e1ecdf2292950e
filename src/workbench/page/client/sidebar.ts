/** Channels and the direct message with the app, with marks at what was not read yet. */
import type { PageChannel } from '../protocol.ts';
import { drawAvatar } from './avatar.ts';
import type { Desk } from './desk.ts';
import { icon, make, part } from './dom.ts';
import { keepFocus } from './keep-focus.ts';
import { type Drawn, KeyedList } from './keyed-list.ts';
import type { PageState } from './store.ts';
import { badge, countUnread } from './unread.ts';

interface Line {
  readonly channel: PageChannel;
  readonly unread: number;
  readonly isOpen: boolean;
}

export class Sidebar {
  readonly #desk: Desk;
  readonly #go: (channel: string) => void;
  readonly #pane = part('channels');
  readonly #channels: KeyedList<Line>;
  readonly #direct: KeyedList<Line>;

  constructor(desk: Desk, go: (channel: string) => void) {
    this.#desk = desk;
    this.#go = go;
    const listOf = (id: string) =>
      new KeyedList<Line>(part(id), { keyOf: ({ channel }) => channel.id, draw: (line) => this.#draw(line) });
    this.#channels = listOf('channel-list');
    this.#direct = listOf('direct-list');
    desk.store.onChange((state, before) => {
      const isSame =
        state.world === before.world && state.channel === before.channel && state.seen === before.seen;
      if (!isSame) this.show(state);
    });
  }

  show(state: PageState): void {
    const lines = (state.world?.channels ?? []).map((channel) => {
      const isOpen = channel.id === state.channel;
      return { channel, isOpen, unread: countUnread(state.seen, channel) };
    });
    keepFocus(this.#pane, () => {
      this.#channels.show(lines.filter(({ channel }) => channel.kind !== 'im'));
      this.#direct.show(lines.filter(({ channel }) => channel.kind === 'im'));
    });
  }

  #draw(first: Line): Drawn<Line> {
    const { id, kind } = first.channel;
    const button = make('button', { type: 'button', class: 'channel', onclick: () => this.#go(id) });
    const picture = kind === 'im' ? drawAvatar('', true) : icon(kind === 'private' ? 'lock' : 'hash');
    const show = ({ channel, unread, isOpen }: Line) => {
      button.classList.toggle('unread', unread > 0);
      button.classList.toggle('outside', !channel.isMember || channel.archived);
      if (isOpen) button.setAttribute('aria-current', 'page');
      else button.removeAttribute('aria-current');
      const note = channel.archived ? 'archived' : channel.isMember ? undefined : 'not joined';
      button.replaceChildren(
        picture,
        make('span', { class: 'channel-name' }, channel.name),
        ...(note === undefined ? [] : [make('span', { class: 'channel-note' }, note)]),
        ...(unread > 0
          ? [
              make(
                'span',
                { class: 'unread-count' },
                badge(unread),
                make('span', { class: 'unseen' }, ' unread'),
              ),
            ]
          : []),
      );
    };
    show(first);
    return { node: make('li', {}, button), update: show };
  }

  /** The channel above or below the open one. */
  step(by: number): void {
    const { world, channel } = this.#desk.store.state;
    const ids = (world?.channels ?? []).toSorted((a, b) => Number(a.kind === 'im') - Number(b.kind === 'im'));
    const next = ids[ids.findIndex(({ id }) => id === channel) + by];
    if (next) this.#go(next.id);
  }
}
