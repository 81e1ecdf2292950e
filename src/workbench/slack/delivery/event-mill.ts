/** Events of the Events API, repeated while nobody acknowledges them. Source: docs/slack-limits.md, "Delivery". */
import { MINUTE, SECOND } from '../../../clock.ts';
import type { Json } from '../objects.ts';
import type { Site } from '../site.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Delivered } from './sent-request.ts';

/** After a failed attempt: once at once, then after 1 and after 5 minutes. */
const REPEAT_AFTER_MS = [0, MINUTE, 5 * MINUTE];

export class EventMill {
  readonly #site: Site;
  readonly #dispatcher: Dispatcher;
  readonly #waiting = new Set<() => void>();
  /** Counts the resets: what was sent before the last one is not repeated. */
  #era = 0;

  constructor(site: Site, dispatcher: Dispatcher) {
    this.#site = site;
    this.#dispatcher = dispatcher;
  }

  /** Resolves after the first attempt; repeats go on behind. */
  async send(
    type: string,
    fields: Json,
    eventId = this.#site.ids.next('Ev'),
  ): Promise<{ acked: boolean; eventId: string }> {
    const payload = this.#wrap(type, fields, eventId);
    const era = this.#era;
    const first = await this.#attempt(payload, 0, '');
    if (!first.acked && era === this.#era) this.#repeatLater(payload, 1, first);
    return { acked: first.acked, eventId };
  }

  clear(): void {
    this.#era += 1;
    for (const callOff of this.#waiting) callOff();
    this.#waiting.clear();
  }

  #attempt(payload: Json, retryNum: number, retryReason: string): Promise<Delivered> {
    return this.#dispatcher.send({ type: 'events_api', payload, retryNum, retryReason });
  }

  #repeatLater(payload: Json, retryNum: number, last: Delivered): void {
    const delay = REPEAT_AFTER_MS[retryNum - 1];
    if (delay === undefined || last.noRetry) return;
    const era = this.#era;
    const repeat = () => {
      void this.#attempt(payload, retryNum, last.trouble ?? 'http_error').then((next) => {
        if (!next.acked && era === this.#era) this.#repeatLater(payload, retryNum + 1, next);
      });
    };
    if (delay === 0) {
      repeat();
      return;
    }
    const callOff = this.#site.clock.after(delay, () => {
      this.#waiting.delete(callOff);
      repeat();
    });
    this.#waiting.add(callOff);
  }

  #wrap(type: string, fields: Json, eventId: string): Json {
    const { world, clock, ids } = this.#site;
    const { team, bot } = world;
    return {
      token: 'simulated-verification-token',
      team_id: team.id,
      api_app_id: bot.appId,
      event: { type, ...fields, event_ts: fields['event_ts'] ?? ids.ts() },
      type: 'event_callback',
      event_id: eventId,
      event_time: Math.floor(clock.now() / SECOND),
      authorizations: [
        {
          enterprise_id: null,
          team_id: team.id,
          user_id: bot.userId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: false,
      event_context: `4-${eventId}`,
    };
  }
}
