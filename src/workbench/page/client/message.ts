/** One message: author, time, blocks, unfurled links, files, replies and menu. */
import type { ShownFile, ShownMessage } from '../protocol.ts';
import { drawAvatar } from './avatar.ts';
import { BlockList } from './blocks.ts';
import { createDomElement, createElementFromHtml, createIcon } from './dom.ts';
import { KeyedDomList } from './keyed-list.ts';
import { createMenu, type MenuItem } from './menu.ts';
import { hasInteractiveBlocks, type MessageListRow } from './message-rows.ts';
import type { PageContext } from './page-context.ts';
import { timeFormatterForState } from './store.ts';
import { ElementSurface } from './surface.ts';

type MessageRow = Extract<MessageListRow, { kind: 'message' }>;

export interface MessageViewContext {
  readonly desk: PageContext;
  /** Opens the thread of a message; absent inside a thread. */
  readonly openThread?: (ts: string) => void;
}

function drawFile({ id, title, alt, isImage }: ShownFile): HTMLElement {
  const address = `/files/${encodeURIComponent(id)}`;
  if (!isImage)
    return createDomElement('a', { class: 'file', href: address, target: '_blank', rel: 'noopener' }, title);
  return createDomElement(
    'figure',
    { class: 'file' },
    createDomElement('figcaption', {}, title),
    createDomElement(
      'a',
      { href: address, target: '_blank', rel: 'noopener', 'aria-label': `Open image: ${alt || title}` },
      createDomElement('img', { src: address, alt: alt || title, loading: 'lazy' }),
    ),
  );
}

function repliesOf(row: MessageRow | undefined): readonly unknown[] {
  return [row?.message.replies, row?.message.lastReply];
}

function repliesWords(replies: number): string {
  return replies === 1 ? '1 reply' : `${replies} replies`;
}

/** Keeps the same element while the message exists; only changes are redrawn. */
export class MessageView {
  readonly node = createDomElement('li', { class: 'message', tabindex: -1 });
  readonly #room: MessageViewContext;
  readonly #gutter = createDomElement('div', { class: 'gutter' });
  readonly #head = createDomElement('div', { class: 'message-head' });
  readonly #onlyMe = createDomElement(
    'p',
    { class: 'only-me', hidden: true },
    createIcon('eye'),
    'Only visible to you',
  );
  readonly #plain = createDomElement('div');
  readonly #blocks: BlockList;
  readonly #unfurls = createDomElement('div', { class: 'unfurls' });
  readonly #unfurlLists: KeyedDomList<ShownMessage['unfurls'][number]>;
  readonly #files = createDomElement('div', { class: 'files' });
  readonly #edited = createDomElement('span', { class: 'edited', hidden: true }, '(edited)');
  readonly #foot = createDomElement('div', { class: 'message-foot' });
  #row: MessageRow;

  constructor(row: MessageRow, room: MessageViewContext) {
    this.#row = row;
    this.#room = room;
    const { channel, ts } = row.message;
    const blocks = createDomElement('div', { class: 'blocks' });
    this.#blocks = new BlockList(blocks, new ElementSurface(room.desk, { channel, ts }));
    this.#unfurlLists = new KeyedDomList(this.#unfurls, {
      keyOf: ({ url }) => url,
      draw: (unfurl) => this.#drawUnfurl(unfurl),
    });
    const body = createDomElement('div', { class: 'message-body' });
    body.append(
      this.#head,
      this.#onlyMe,
      this.#plain,
      blocks,
      this.#edited,
      this.#unfurls,
      this.#files,
      this.#foot,
    );
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
    this.#edited.hidden = !message.edited;
    this.node.classList.toggle('private', message.onlyMe);
    this.node.classList.toggle('follows', follows);
    this.node.classList.toggle('card', hasInteractiveBlocks(message));
    if (before?.message.html !== message.html)
      this.#plain.replaceChildren(
        ...(message.html === undefined ? [] : [createElementFromHtml(message.html, 'rich')]),
      );
    this.#blocks.show(message.blocks, this.node);
    this.#unfurlLists.show(message.unfurls);
    const isSameFiles = before && JSON.stringify(before.message.files) === JSON.stringify(message.files);
    if (!isSameFiles) this.#files.replaceChildren(...message.files.map(drawFile));
    if (JSON.stringify(repliesOf(before)) !== JSON.stringify(repliesOf(this.#row))) this.#showReplies();
  }

  #showHead(before: MessageRow | undefined): void {
    const { message, follows } = this.#row;
    if (before?.follows === follows) return;
    const { clockTime, momentInFull } = timeFormatterForState(this.#room.desk.store.state);
    const time = (className: string, words = clockTime(message.at)) =>
      createDomElement('time', { class: className, title: momentInFull(message.at) }, words);
    this.#gutter.replaceChildren(
      follows
        ? time('gutter-time', clockTime(message.at).replace(/\s?[AP]M$/u, ''))
        : drawAvatar(message.author, message.byBot),
    );
    this.#head.classList.toggle('unseen', follows);
    this.#head.replaceChildren(
      createDomElement('span', { class: 'author' }, message.author),
      ...(message.byBot ? [createDomElement('span', { class: 'badge' }, 'App')] : []),
      time('time'),
    );
  }

  #drawUnfurl(unfurl: ShownMessage['unfurls'][number]) {
    const { channel, ts } = this.#row.message;
    const node = createDomElement('div', { class: 'unfurl' });
    const blocks = new BlockList(
      node,
      new ElementSurface(this.#room.desk, { channel, ts, unfurl: unfurl.url }),
    );
    blocks.show(unfurl.blocks);
    return { node, update: (next: typeof unfurl) => blocks.show(next.blocks, this.node) };
  }

  #showReplies(): void {
    const { message } = this.#row;
    const { openThread } = this.#room;
    const { lastReply } = message;
    const times = timeFormatterForState(this.#room.desk.store.state);
    if (!openThread || message.replies === 0) {
      this.#foot.replaceChildren();
      return;
    }
    this.#foot.replaceChildren(
      createDomElement(
        'button',
        { type: 'button', class: 'replies', onclick: () => openThread(message.ts) },
        ...(lastReply?.authors ?? []).map(({ name, byBot }) => drawAvatar(name, byBot)),
        createDomElement('span', { class: 'replies-count' }, repliesWords(message.replies)),
        lastReply &&
          createDomElement(
            'span',
            { class: 'replies-last', title: times.momentInFull(lastReply.at) },
            `Last reply ${times.clockTime(lastReply.at)}`,
          ),
      ),
    );
  }

  #drawTools(): HTMLElement {
    const { openThread } = this.#room;
    const { message } = this.#row;
    if (message.onlyMe) return createDomElement('div', { class: 'tools', hidden: true });
    const reply =
      openThread &&
      createDomElement(
        'button',
        {
          type: 'button',
          class: 'tool reply-tool',
          'aria-label': 'Reply in thread',
          title: 'Reply in thread',
          onclick: () => openThread(message.ts),
        },
        createIcon('thread'),
      );
    const menu = createMenu(
      [createIcon('more')],
      {
        className: 'tool',
        label: 'More actions',
        title: 'More actions',
        menuLabel: 'Message actions',
      },
      () => this.#menuItems(),
    );
    return createDomElement('div', { class: 'tools' }, reply, menu.node);
  }

  #menuItems(): readonly MenuItem[] {
    const { desk, openThread } = this.#room;
    const { channel, ts } = this.#row.message;
    const { world } = desk.store.state;
    const shortcuts = (world?.shortcuts ?? []).map(({ callbackId, name }) => ({
      label: name,
      description: world?.app ?? '',
      picture: createIcon('bolt'),
      onSelect: () => void desk.performAction({ kind: 'shortcut', callbackId, channel, ts }),
    }));
    if (!openThread) return shortcuts;
    const reply = { label: 'Reply in thread', picture: createIcon('thread'), onSelect: () => openThread(ts) };
    return [reply, ...shortcuts];
  }
}
