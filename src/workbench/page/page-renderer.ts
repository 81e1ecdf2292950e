/** Renders messages and views for people, and caches each message until its contents change. */
import { setImmediate } from 'node:timers/promises';
import { type Clock, MINUTE, machineClock, SECOND } from '../../clock.ts';
import { objectsInList } from '../slack/json-reading.ts';
import type { Block, JsonObject, SlackMessage, SlackUser, SlackView } from '../slack/objects.ts';
import type { ShownMessage, ShownOption, ShownView } from './protocol.ts';
import { formatIsoDay } from './render/dates.ts';
import type { PickableEntities } from './render/elements.ts';
import { buildShownBlocks } from './render/shown-blocks.ts';
import { type HtmlRenderContext, textObjectHtml } from './render/text-objects.ts';
import { detectImageType } from './static-files.ts';
import { listPeople, listVisibleChannels, type SlackControlsAndContents } from './visibility.ts';

/** Rendering yields to the rest of the process after this time: the app has 3 s to acknowledge. */
const SLICE_MS = 10;
/** Pictures of people who replied to a message. */
const SHOWN_AUTHORS = 3;

/** The part that stays the same for the same message object. */
type Drawn = Omit<ShownMessage, 'replies' | 'lastReply' | 'files'>;

interface Sketch {
  /** The other inputs of the rendering. */
  readonly key: string;
  readonly drawn: Drawn;
}

function blocksOf(it: JsonObject | undefined): readonly Block[] {
  return objectsInList(it?.['blocks']) as readonly Block[];
}

export class PageRenderer {
  readonly #slack: SlackControlsAndContents;
  readonly #clock: Clock;
  /** By reader ID. A changed message is a new object, so its old rendering is dropped. */
  readonly #sketches = new WeakMap<SlackMessage, Map<string, Sketch>>();

  constructor(slack: SlackControlsAndContents, clock: Clock) {
    this.#slack = slack;
    this.#clock = clock;
  }

  /** In the given order. Yields to other work while rendering many messages. */
  async renderShownMessages(
    person: SlackUser,
    messages: readonly SlackMessage[],
  ): Promise<readonly ShownMessage[]> {
    const paper = this.#paper(person);
    const choices = this.#choices(person);
    const names = JSON.stringify([
      choices,
      this.#slack.userGroups(),
      this.#slack.users().map(({ name }) => name),
    ]);
    const replies = this.#replies(messages, paper);
    const shown: ShownMessage[] = [];
    let since = machineClock.now();
    for (const message of messages) {
      shown.push({
        ...this.#drawn(message, person, paper, choices, names),
        ...(replies.get(message.ts) ?? { replies: 0 }),
        files: this.#slack.files(message).map(({ id, title, altText, bytes }) => ({
          id,
          title,
          alt: altText ?? title,
          isImage: detectImageType(bytes) !== undefined,
        })),
      });
      if (machineClock.now() - since < SLICE_MS) continue;
      await setImmediate();
      since = machineClock.now();
    }
    return shown;
  }

  renderShownView(person: SlackUser, view: SlackView): ShownView {
    const { id, hash, type, title, submit, close, blocks } = view;
    return {
      id,
      hash,
      type,
      title,
      ...(submit === undefined ? {} : { submit }),
      close: close ?? (submit === undefined ? 'Close' : 'Cancel'),
      blocks: buildShownBlocks(blocks, this.#paper(person), this.#choices(person)),
    };
  }

  #paper(person: SlackUser): HtmlRenderContext {
    const slack = this.#slack;
    const users = new Map(slack.users().map(({ id, name }) => [id, name]));
    const channels = new Map(listVisibleChannels(slack, person).map(({ id, name }) => [id, name]));
    const groups = new Map(slack.userGroups().map(({ id, handle }) => [id, handle]));
    return {
      reader: { timezone: person.tz, now: this.#clock.now() },
      names: {
        user: (id) => users.get(id),
        channel: (id) => channels.get(id),
        group: (id) => groups.get(id),
      },
    };
  }

  #choices(person: SlackUser): PickableEntities {
    const channels = listVisibleChannels(this.#slack, person).filter(({ kind }) => kind !== 'im');
    const option = (sign: string, id: string, name: string): ShownOption => ({
      text: `${sign}${name}`,
      value: id,
    });
    return {
      people: listPeople(this.#slack).map(({ id, name }) => option('@', id, name)),
      channels: channels.map(({ id, name }) => option('#', id, name)),
    };
  }

  /** What the line below a message with a thread shows, by the parent's `ts`. */
  #replies(
    messages: readonly SlackMessage[],
    paper: HtmlRenderContext,
  ): ReadonlyMap<string, Pick<ShownMessage, 'replies' | 'lastReply'>> {
    const parents = messages.filter(({ threadTs, ephemeralFor }) => !threadTs && !ephemeralFor);
    return new Map(
      parents.flatMap(({ channel, ts }) => {
        const replies = this.#slack.thread(channel, ts).slice(1);
        const last = replies.at(-1);
        if (!last) return [];
        const authors = new Map(replies.map(({ user, byBot }) => [user, byBot]));
        const lastReply = {
          at: Math.floor(Number(last.ts) * SECOND),
          authors: [...authors]
            .slice(0, SHOWN_AUTHORS)
            .map(([user, byBot]) => ({ name: paper.names.user(user) ?? user, byBot })),
        };
        return [[ts, { replies: replies.length, lastReply }] as const];
      }),
    );
  }

  #drawn(
    message: SlackMessage,
    person: SlackUser,
    paper: HtmlRenderContext,
    choices: PickableEntities,
    names: string,
  ): Drawn {
    const sketches = this.#sketches.get(message) ?? new Map<string, Sketch>();
    this.#sketches.set(message, sketches);
    const known = sketches.get(person.id);
    const day = formatIsoDay(paper.reader.now, paper.reader);
    const minute = Math.floor(paper.reader.now / MINUTE);
    const keys = [`${names} ${day}`, `${names} ${day} ${minute}`];
    if (known && keys.includes(known.key)) return known.drawn;
    const drawn = this.#draw(message, paper, choices);
    // “5 minutes ago” is valid for a minute, “today” for a day.
    const tellsAge = JSON.stringify([message.text, message.blocks, message.unfurls]).includes('{ago}');
    sketches.set(person.id, { key: (tellsAge ? keys[1] : keys[0]) ?? '', drawn });
    return drawn;
  }

  #draw(message: SlackMessage, paper: HtmlRenderContext, choices: PickableEntities): Drawn {
    const { channel, ts, user, byBot, edited, threadTs, ephemeralFor, text } = message;
    const show = (blocks: readonly Block[]) => buildShownBlocks(blocks, paper, choices);
    const blocks = show([...message.blocks, ...message.attachments.flatMap(blocksOf)]);
    const html = blocks.length === 0 ? textObjectHtml({ type: 'mrkdwn', text }, paper) : undefined;
    return {
      channel,
      ts,
      at: Math.floor(Number(ts) * SECOND),
      author: paper.names.user(user) ?? user,
      byBot,
      edited,
      onlyMe: ephemeralFor !== undefined,
      ...(threadTs === undefined ? {} : { thread: threadTs }),
      ...(html === undefined ? {} : { html }),
      blocks,
      unfurls: Object.entries(message.unfurls).map(([url, unfurl]) => ({
        url,
        blocks: show(blocksOf(unfurl)),
      })),
    };
  }
}
