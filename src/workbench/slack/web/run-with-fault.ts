/** Carries out ordered faults around anything that the app asks of Slack. */
import type { ServerResponse } from 'node:http';
import { answerJson, answerText } from '../../http.ts';
import type { SlackFaultEffect } from '../simulated-slack.ts';
import { rateLimitedResponse, type WebApiResponse } from './answer-api-call.ts';
import type { MatchedSlackFault } from './fault-queue.ts';

/** What came of it, for the log: undefined when the real answer was given. */
export interface FaultOutcome {
  readonly answer: WebApiResponse | undefined;
  /** The trouble that was ordered, as the log names it. */
  readonly trouble: string | undefined;
}

function comesBefore(effect: SlackFaultEffect): boolean {
  if (effect.kind === 'ratelimited') return true;
  if (effect.kind === 'hold') return effect.when === 'before';
  return effect.when !== 'after';
}

/** Writes the broken answer; its name for the log. */
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

/** Does the effect and answers, with the fault before, instead of or after it. `write` gives the honest answer. */
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
