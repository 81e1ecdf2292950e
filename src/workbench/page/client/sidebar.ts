/** Channels and the direct message with the app, with unread badges. */
import type { PageChannel } from '../protocol.ts';
import { drawAvatar } from './avatar.ts';
import { createDomElement, createIcon, getPageElement } from './dom.ts';
import { redrawPreservingFocus } from './keep-focus.ts';
import { KeyedDomList, type KeyedDomListItem } from './keyed-list.ts';
import type { PageContext } from './page-context.ts';
import type { PageState } from './store.ts';
import { countUnread, unreadBadgeText } from './unread.ts';

interface Line {
  readonly channel: PageChannel;
  readonly unread: number;
  readonly isOpen: boolean;
}

export class Sidebar {
  readonly #desk: PageContext;
  readonly #go: (channel: string) => void;
  readonly #pane = getPageElement('channels');
  readonly #channels: KeyedDomList<Line>;
  readonly #direct: KeyedDomList<Line>;

  constructor(desk: PageContext, go: (channel: string) => void) {
    this.#desk = desk;
    this.#go = go;
    const listOf = (id: string) =>
      new KeyedDomList<Line>(getPageElement(id), {
        keyOf: ({ channel }) => channel.id,
        draw: (line) => this.#draw(line),
      });
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
    redrawPreservingFocus(this.#pane, () => {
      this.#channels.show(lines.filter(({ channel }) => channel.kind !== 'im'));
      this.#direct.show(lines.filter(({ channel }) => channel.kind === 'im'));
    });
  }

  #draw(first: Line): KeyedDomListItem<Line> {
    const { id, kind } = first.channel;
    const button = createDomElement('button', {
      type: 'button',
      class: 'channel',
      onclick: () => this.#go(id),
    });
    const picture = kind === 'im' ? drawAvatar('', true) : createIcon(kind === 'private' ? 'lock' : 'hash');
    const show = ({ channel, unread, isOpen }: Line) => {
      button.classList.toggle('unread', unread > 0);
      button.classList.toggle('outside', !channel.isMember || channel.archived);
      if (isOpen) button.setAttribute('aria-current', 'page');
      else button.removeAttribute('aria-current');
      const note = channel.archived ? 'archived' : channel.isMember ? undefined : 'not joined';
      button.replaceChildren(
        picture,
        createDomElement('span', { class: 'channel-name' }, channel.name),
        ...(note === undefined ? [] : [createDomElement('span', { class: 'channel-note' }, note)]),
        ...(unread > 0
          ? [
              createDomElement(
                'span',
                { class: 'unread-count' },
                unreadBadgeText(unread),
                createDomElement('span', { class: 'unseen' }, ' unread'),
              ),
            ]
          : []),
      );
    };
    show(first);
    return { node: createDomElement('li', {}, button), update: show };
  }

  openAdjacentChannel(by: number): void {
    const { world, channel } = this.#desk.store.state;
    const ids = (world?.channels ?? []).toSorted((a, b) => Number(a.kind === 'im') - Number(b.kind === 'im'));
    const next = ids[ids.findIndex(({ id }) => id === channel) + by];
    if (next) this.#go(next.id);
  }
}
