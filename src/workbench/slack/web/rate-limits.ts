/** Rate limits per method. Source: docs/slack-limits.md, "Delivery"; Slack's tiers where it gives none. */
import { type Clock, MINUTE, SECOND } from '../../../clock.ts';

/** Calls per minute for the whole workspace. */
export const CALLS_PER_MINUTE_BY_METHOD: Readonly<Record<string, number>> = {
  'chat.postMessage': 300,
  'chat.update': 50,
  'chat.delete': 50,
  'chat.postEphemeral': 100,
  'chat.unfurl': 50,
  'chat.getPermalink': 600,
  'conversations.history': 50,
  'conversations.replies': 50,
  'conversations.info': 50,
  'conversations.list': 20,
  'conversations.members': 100,
  'conversations.join': 50,
  'conversations.open': 50,
  'users.conversations': 50,
  'users.info': 100,
  'users.list': 20,
  'usergroups.list': 20,
  'usergroups.users.list': 20,
  'views.open': 100,
  'views.push': 100,
  'views.update': 100,
  'views.publish': 100,
  'reactions.add': 50,
  'files.getUploadURLExternal': 100,
  'files.completeUploadExternal': 100,
  'team.info': 50,
  'blocks.validate': 50,
  'bots.info': 50,
  'auth.test': 600,
  'apps.connections.open': 20,
  'oauth.v2.access': 100,
};

/** Calls per minute, and messages per page, for apps that are distributed outside of Slack's Marketplace. */
export const STRICT_HISTORY_LIMITS = { callsPerMinute: 1, page: 15 } as const;
export const HISTORY_METHODS: ReadonlySet<string> = new Set([
  'conversations.history',
  'conversations.replies',
]);

/**
 * Posts to one channel: one per second, and a burst of this many after a pause (assumed; Slack says "short
 * bursts").
 */
export const MAX_POSTS_PER_BURST = 3;

export class WebApiRateLimiter {
  readonly #clock: Clock;
  /** Times of the calls in the last minute, by method. */
  readonly #calls = new Map<string, number[]>();
  /** By channel: remaining posts of the burst, and when they were computed. */
  readonly #posts = new Map<string, { left: number; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Uses a slot for one call. Returns the seconds to wait if there is none; undefined if the call may go. */
  takeCallSlot(
    method: string,
    channel: string | undefined,
    limit = CALLS_PER_MINUTE_BY_METHOD[method],
  ): number | undefined {
    const now = this.#clock.now();
    const recent = (this.#calls.get(method) ?? []).filter((at) => at > now - MINUTE);
    const oldest = recent[0];
    if (limit !== undefined && recent.length >= limit && oldest !== undefined)
      return Math.max(1, Math.ceil((oldest + MINUTE - now) / SECOND));
    if (method === 'chat.postMessage' && channel !== undefined && !this.#takePost(channel, now)) return 1;
    this.#calls.set(method, [...recent, now]);
    return undefined;
  }

  clear(): void {
    this.#calls.clear();
    this.#posts.clear();
  }

  #takePost(channel: string, now: number): boolean {
    const known = this.#posts.get(channel) ?? { left: MAX_POSTS_PER_BURST, at: now };
    const left = Math.min(MAX_POSTS_PER_BURST, known.left + (now - known.at) / SECOND);
    const granted = left >= 1;
    this.#posts.set(channel, { left: granted ? left - 1 : left, at: now });
    return granted;
  }
}
