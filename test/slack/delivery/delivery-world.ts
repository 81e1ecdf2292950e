/** Delivery with an in-memory store, a fake Slack and a manual clock. */
import { ChannelId, ProjectKey, TeamId, type UserId } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import { cardPostId, enqueuePost } from '../../../src/outbox/outbox.ts';
import { type Post, type PostContent, PostId, postKey, posts } from '../../../src/outbox/posts.ts';
import type { Message } from '../../../src/slack/core/routes.ts';
import type { DeliveryContext } from '../../../src/slack/delivery/context.ts';
import { DeliveryWorker } from '../../../src/slack/delivery/delivery.ts';
import type { Store } from '../../../src/storage/store.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';
import { passTime } from '../../pass-time.ts';
import { FakeSlack } from '../fake-slack.ts';

export const team = TeamId.parse('T1');
const NOTICE = {
  kind: 'notice',
  notice: { about: 'channel-unreachable', channel: ChannelId.parse('C9'), error: 'x' },
} as const;

export class DeliveryWorld {
  readonly clock = new ManualClock();
  readonly store = createMemoryStore();
  readonly slack = new FakeSlack(this.clock);
  readonly stopped: { channel: string; error: string }[] = [];
  /** A post's content, by its id; by default its id and revision. Undefined: nothing to show. */
  readonly shows = new Map<string, Message | undefined>();
  delivery: DeliveryWorker | undefined;
  #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  context(changes: Partial<DeliveryContext> = {}): DeliveryContext {
    return {
      team,
      store: this.store,
      admins: new Set(),
      feed: {
        bundleCardsIntoSummary: async () => ({ isMore: false }),
        stopChannelFeeds: async (_, channel, error) => {
          this.stopped.push({ channel, error });
        },
      },
      render: async (_, post) =>
        this.shows.has(post.id) ? this.shows.get(post.id) : { text: `${post.id} revision ${post.revision}` },
      port: this.slack,
      clock: this.clock,
      random: () => 0,
      log: silentLog,
      ...changes,
    };
  }

  start(changes: Partial<DeliveryContext> = {}): void {
    this.#stop = new AbortController();
    this.delivery = new DeliveryWorker(this.context(changes));
    this.#done = this.delivery.run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  /** Kills the process: its pending calls never settle. */
  abandon(): void {
    this.#stop.abort();
    this.#done = Promise.resolve();
  }

  /** @param under the post in whose thread it belongs */
  async enqueue(
    channel: ChannelId | UserId,
    name: string,
    order: number,
    { under, content = NOTICE }: { readonly under?: PostId; readonly content?: PostContent } = {},
  ): Promise<PostId> {
    const id = PostId.parse(name);
    const post = { team, id, channel, content, order, at: this.clock.now(), ...(under ? { under } : {}) };
    await this.store.transact((tx) => enqueuePost(tx, post));
    return id;
  }

  enqueueCard(channel: ChannelId, order: number): Promise<PostId> {
    const project = ProjectKey.parse(`~${order}`);
    return this.enqueue(channel, cardPostId(channel, project), order, { content: { kind: 'card', project } });
  }

  post(id: PostId, store: Store = this.store): Promise<Post | undefined> {
    return store.read((tx) => tx.get(posts, postKey(team, id)));
  }

  /** Passes time, timer by timer. */
  pass(ms: number): Promise<void> {
    return passTime(this.clock, ms);
  }

  texts(channel: string): readonly string[] {
    return this.slack.standing(channel).map((it) => it.message.text);
  }

  names(channel: string): readonly string[] {
    return this.slack.standing(channel).map((it) => it.post);
  }
}
