/**
 * Whether Slack still accepts our token. Only `auth.test` decides: some error codes sound worse than they
 * are.
 */
import { asError } from '../../errors.ts';
import { SlackCallError } from '../core/errors.ts';
import type { DeliveryPort } from './web-port.ts';

/** unclear: no answer, or a rate limit. */
export type TokenState = 'accepted' | 'refused' | 'unclear';

export interface TokenCheck {
  /** Asks Slack; overlapping calls share one request. Never throws a SlackCallError. */
  checkToken(): Promise<TokenState>;
}

async function checkToken(port: Pick<DeliveryPort, 'checkToken'>): Promise<TokenState> {
  try {
    await port.checkToken();
    return 'accepted';
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw asError(thrown);
    return thrown.failureKind === 'refused' ? 'refused' : 'unclear';
  }
}

export function createTokenCheck(port: Pick<DeliveryPort, 'checkToken'>): TokenCheck {
  let running: Promise<TokenState> | undefined;
  return {
    checkToken: () => {
      running ??= checkToken(port).finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
