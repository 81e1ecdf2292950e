/** Whether Gigdesk is ready, as text for `/readyz`. Pure. */
import type { DeliveryHealth } from '../slack/delivery/health.ts';

export interface ReadinessInputs {
  readonly isStopping: boolean;
  readonly isStoreOpen: boolean;
  readonly isSlackConnected: boolean;
  readonly isFeedRunning: boolean;
  /** Missing if the data store is not open. */
  readonly delivery?: DeliveryHealth;
  readonly isClockRight: boolean;
}

export interface Readiness {
  readonly isReady: boolean;
  /** One line. */
  readonly message: string;
}

/** One refused conversation doesn't affect others: Gigdesk is still ready, but the text mentions it. */
function refusedWords({ delivery }: ReadinessInputs): string {
  const refused = delivery?.refused.length ?? 0;
  if (refused === 0) return '';
  return `; Slack refuses posts in ${refused} ${refused === 1 ? 'conversation' : 'conversations'}`;
}

/** Lists everything that is missing. */
export function judgeReadiness(vital: ReadinessInputs): Readiness {
  const paused = vital.delivery?.paused;
  const missing = [
    ...(vital.isStopping ? ['Gigdesk is stopping'] : []),
    ...(vital.isStoreOpen ? [] : ['the data store is not open']),
    ...(vital.isSlackConnected ? [] : ['Slack is not connected']),
    ...(vital.isFeedRunning ? [] : ['the feed is not running']),
    ...(paused ? [`Slack rejects the token (${paused.error}), so nothing is posted`] : []),
    ...(vital.isClockRight ? [] : ["this server's clock is wrong"]),
  ];
  return missing.length === 0
    ? { isReady: true, message: `ready${refusedWords(vital)}` }
    : { isReady: false, message: `not ready: ${missing.join('; ')}` };
}
