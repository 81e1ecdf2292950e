/**
 * Events of the Events API, retried until the app acknowledges them. Source: docs/slack-limits.md,
 * "Delivery".
 */
import { MINUTE, SECOND } from '../../../clock.ts';
import type { JsonObject } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { AppRequestDispatcher } from './dispatcher.ts';
import type { DeliveryResult } from './sent-request.ts';

/** After a failed attempt: immediately, then after 1 and after 5 minutes. */
const REPEAT_AFTER_MS = [0, MINUTE, 5 * MINUTE];

export class EventSender {
  readonly #site: SlackSimulatorContext;
  readonly #dispatcher: AppRequestDispatcher;
  readonly #waiting = new Set<() => void>();
  /** Counts the resets: events sent before the last reset are not retried. */
  #era = 0;

  constructor(site: SlackSimulatorContext, dispatcher: AppRequestDispatcher) {
    this.#site = site;
    this.#dispatcher = dispatcher;
  }

  /** Resolves after the first attempt; retries continue in the background. */
  async sendEvent(
    type: string,
    fields: JsonObject,
    eventId = this.#site.ids.nextId('Ev'),
  ): Promise<{ acked: boolean; eventId: string }> {
    const payload = this.#wrap(type, fields, eventId);
    const era = this.#era;
    const first = await this.#attempt(payload, 0, '');
    if (!first.acked && era === this.#era) this.#repeatLater(payload, 1, first);
    return { acked: first.acked, eventId };
  }

  cancelRepeats(): void {
    this.#era += 1;
    for (const callOff of this.#waiting) callOff();
    this.#waiting.clear();
  }

  #attempt(payload: JsonObject, retryNum: number, retryReason: string): Promise<DeliveryResult> {
    return this.#dispatcher.send({ type: 'events_api', payload, retryNum, retryReason });
  }

  #repeatLater(payload: JsonObject, retryNum: number, last: DeliveryResult): void {
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
    const callOff = this.#site.clock.runAfter(delay, () => {
      this.#waiting.delete(callOff);
      repeat();
    });
    this.#waiting.add(callOff);
  }

  #wrap(type: string, fields: JsonObject, eventId: string): JsonObject {
    const { world, clock, ids } = this.#site;
    const { team, bot } = world;
    return {
      token: 'simulated-verification-token',
      team_id: team.id,
      api_app_id: bot.appId,
      event: { type, ...fields, event_ts: fields['event_ts'] ?? ids.nextTs() },
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
