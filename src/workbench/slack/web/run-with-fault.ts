/** Applies injected faults to the app's requests. */
import type { ServerResponse } from 'node:http';
import { answerJson, answerText } from '../../http.ts';
import type { SlackFaultEffect } from '../simulated-slack.ts';
import { rateLimitedResponse, type WebApiResponse } from './answer-api-call.ts';
import type { MatchedSlackFault } from './fault-queue.ts';

/** The outcome for the log: `answer` is the real answer, if it was produced. */
export interface FaultOutcome {
  readonly answer: WebApiResponse | undefined;
  /** The fault's name in the log. */
  readonly trouble: string | undefined;
}

function comesBefore(effect: SlackFaultEffect): boolean {
  if (effect.kind === 'ratelimited') return true;
  if (effect.kind === 'hold') return effect.when === 'before';
  return effect.when !== 'after';
}

/** Sends the broken answer and returns its name for the log. */
function spoil(effect: SlackFaultEffect, response: ServerResponse): string {
  switch (effect.kind) {
    case 'ratelimited': {
      const answer = rateLimitedResponse(effect.retryAfterS ?? 1);
      answerJson(response, answer.status, answer.body, answer.headers);
      return 'ratelimited';
    }
    case 'status':
      answerText(response, effect.status, '<html>Server error</html>', { 'content-type': 'text/html' });
      return `http_${effect.status}`;
    case 'error':
      answerJson(response, 200, { ok: false, error: effect.error });
      return effect.error;
    case 'drop':
      response.socket?.resetAndDestroy();
      return 'dropped';
    case 'broken-json':
      answerText(response, 200, '{"ok":tr', { 'content-type': 'application/json; charset=utf-8' });
      return 'broken_json';
    case 'hold':
      return 'held';
  }
}

/**
 * Runs the effect and answers, with the fault before, instead of or after it. `write` sends the real answer.
 */
export async function runWithFault(
  struck: MatchedSlackFault | undefined,
  response: ServerResponse,
  effect: () => WebApiResponse,
  write: (answer: WebApiResponse) => void,
): Promise<FaultOutcome> {
  if (!struck) {
    const answer = effect();
    write(answer);
    return { answer, trouble: undefined };
  }
  const before = comesBefore(struck.effect);
  if (struck.effect.kind === 'hold') {
    if (before) await struck.waitForRelease();
    const answer = effect();
    if (!before) await struck.waitForRelease();
    write(answer);
    return { answer, trouble: undefined };
  }
  const answer = before ? undefined : effect();
  return { answer, trouble: spoil(struck.effect, response) };
}
