/** One message: who, when, its blocks, what was unfurled and uploaded, its replies, and its menu. */
import type { ShownFile, ShownMessage } from '../protocol.ts';
import { drawAvatar } from './avatar.ts';
import { BlockList } from './blocks.ts';
import type { Desk } from './desk.ts';
import { icon, make, rendered } from './dom.ts';
import { KeyedList } from './keyed-list.ts';
import { createMenu, type MenuItem } from './menu.ts';
import { isCard, type Row } from './rows.ts';
import { timesOf } from './store.ts';
import { Surface } from './surface.ts';

type MessageRow = Extract<Row, { kind: 'message' }>;

export interface MessageRoom {
  readonly desk: Desk;
  /** Opens the thread of a message; absent inside of one. */
  readonly openThread?: (ts: string) => void;
}

function drawFile({ id, title, alt }: ShownFile): HTMLElement {
  const address = `/files/${encodeURIComponent(id)}`;
  return make(
    'figure',
    { class: 'file' },
    make('figcaption', {}, title),
    make(
      'a',
      { href: address, target: '_blank', rel: 'noopener', 'aria-label': `Open image: ${alt || title}` },
      make('img', { src: address, alt: alt || title, loading: 'lazy' }),
    ),
  );
}

function repliesWords(replies: number): string {
  return replies === 1 ? '1 reply' : `${replies} replies`;
}

/** The same element as long as the message stands; only what changed is drawn again. */
export class MessageView {
  readonly node = make('li', { class: 'message', tabindex: -1 });
  readonly #room: MessageRoom;
  readonly #gutter = make('div', { class: 'gutter' });
  readonly #head = make('div', { class: 'message-head' });
  readonly #onlyMe = make('p', { class: 'only-me', hidden: true }, icon('eye'), 'Only visible to you');
  readonly #plain = make('div');
  readonly #blocks: BlockList;
  readonly #unfurls = make('div', { class: 'unfurls' });
  readonly #unfurlLists: KeyedList<ShownMessage['unfurls'][number]>;
  readonly #files = make('div', { class: 'files' });
  readonly #foot = make('div', { class: 'message-foot' });
  #row: MessageRow;

  constructor(row: MessageRow, room: MessageRoom) {
    this.#row = row;
    this.#room = room;
    const { channel, ts } = row.message;
    const blocks = make('div', { class: 'blocks' });
    this.#blocks = new BlockList(blocks, new Surface(room.desk, { channel, ts }));
    this.#unfurlLists = new KeyedList(this.#unfurls, {
      keyOf: ({ url }) => url,
      draw: (unfurl) => this.#drawUnfurl(unfurl),
    });
    const body = make('div', { class: 'message-body' });
    body.append(this.#head, this.#onlyMe, this.#plain, blocks, this.#unfurls, this.#files, this.#foot);
    this.node.dataset['ts'] = ts;
    this.node.append(this.#gutter, body, this.#drawTools());
    this.#show(undefined);
  }

  update(row: MessageRow): void {
    const before = this.#row;
    this.#row = row;
    this.#show(before);
  }

  #show(before: MessageRow | undefined): void {
    const { message, follows } = this.#row;
    this.#showHead(before);
    this.#onlyMe.hidden = !message.onlyMe;
    this.node.classList.toggle('private', message.onlyMe);
    this.node.classList.toggle('follows', follows);
    this.node.classList.toggle('card', isCard(message));
    if (before?.message.html !== message.html)
      this.#plain.replaceChildren(...(message.html === undefined ? [] : [rendered(message.html, 'rich')]));
    this.#blocks.show(message.blocks, this.node);
    this.#unfurlLists.show(message.unfurls);
    const isSameFiles = before && JSON.stringify(before.message.files) === JSON.stringify(message.files);
    if (!isSameFiles) this.#files.replaceChildren(...message.files.map(drawFile));
    if (before?.message.replies !== message.replies) this.#showReplies();
  }

  #showHead(before: MessageRow | undefined): void {
    const { message, follows } = this.#row;
    if (before?.follows === follows && before.message.edited === message.edited) return;
    const { clockTime, momentInFull } = timesOf(this.#room.desk.store.state);
    const time = (className: string, words = clockTime(message.at)) =>
      make('time', { class: className, title: momentInFull(message.at) }, words);
    const edited = message.edited && make('span', { class: 'edited' }, 'edited');
    this.#gutter.replaceChildren(
      follows
        ? time('gutter-time', clockTime(message.at).replace(/\s?[AP]M$/u, ''))
        : drawAvatar(message.author, message.byBot),
    );
    this.#head.classList.toggle('unseen', follows);
    this.#head.replaceChildren(
      make('span', { class: 'author' }, message.author),
      ...(message.byBot ? [make('span', { class: 'badge' }, 'App')] : []),
      time('time'),
      ...(edited ? [edited] : []),
    );
  }

  #drawUnfurl(unfurl: ShownMessage['unfurls'][number]) {
    const { channel, ts } = this.#row.message;
    const node = make('div', { class: 'unfurl' });
    const blocks = new BlockList(node, new Surface(this.#room.desk, { channel, ts, unfurl: unfurl.url }));
    blocks.show(unfurl.blocks);
    return { node, update: (next: typeof unfurl) => blocks.show(next.blocks, this.node) };
  }

  #showReplies(): void {
    const { message } = this.#row;
    const { openThread } = this.#room;
    if (!openThread || message.replies === 0) {
      this.#foot.replaceChildren();
      return;
    }
    this.#foot.replaceChildren(
      make(
        'button',
        { type: 'button', class: 'replies', onclick: () => openThread(message.ts) },
        icon('thread'),
        repliesWords(message.replies),
      ),
    );
  }

  #drawTools(): HTMLElement {
    const { openThread } = this.#room;
    const { message } = this.#row;
    if (message.onlyMe) return make('div', { class: 'tools', hidden: true });
    const reply =
      openThread &&
      make(
        'button',
        {
          type: 'button',
          class: 'tool reply-tool',
          'aria-label': 'Reply in thread',
          title: 'Reply in thread',
          onclick: () => openThread(message.ts),
        },
        icon('thread'),
      );
    const menu = createMenu(
      [icon('more')],
      {
        className: 'tool',
        label: 'More actions',
        title: 'More actions',
        menuLabel: 'Message actions',
      },
      () => this.#menuItems(),
    );
    return make('div', { class: 'tools' }, reply, menu.node);
  }

  #menuItems(): readonly MenuItem[] {
    const { desk, openThread } = this.#room;
    const { channel, ts } = this.#row.message;
    const { world } = desk.store.state;
    const shortcuts = (world?.shortcuts ?? []).map(({ callbackId, name }) => ({
      label: name,
      description: world?.app ?? '',
      picture: icon('bolt'),
      run: () => void desk.act({ kind: 'shortcut', callbackId, channel, ts }),
    }));
    if (!openThread) return shortcuts;
    const reply = { label: 'Reply in thread', picture: icon('thread'), run: () => openThread(ts) };
    return [reply, ...shortcuts];
  }
}
