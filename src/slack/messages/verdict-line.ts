/** What the filter's AI qualifier decided. */
import type { Verdict } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';

const PLAIN_WORDS: Readonly<Record<string, string>> = { true: 'qualified', false: 'not qualified' };
const FOR = /^(?:qualified|yes|accepted|approved|match|pass)/u;
const AGAINST = /^(?:dis|un|not|no\b|reject|fail|skip)/u;

function sign(decision: string): string {
  if (FOR.test(decision)) return ':white_check_mark: ';
  return AGAINST.test(decision) ? ':no_entry_sign: ' : '';
}

/**
 * `:white_check_mark: *AI: qualified* – reason`; undefined while nothing is decided. The decision's words are not
 * documented, so unknown ones are shown as they came. mrkdwn.
 */
export function verdictLine(verdict: Verdict | undefined, max: number): string | undefined {
  if (!verdict) return undefined;
  const told = safeLine(verdict.decision ?? '', 40).toLowerCase();
  const decision = PLAIN_WORDS[told] ?? told;
  const reason = safeLine(verdict.reason ?? '', max);
  if (!decision && !reason) return undefined;
  if (!decision) return `*AI:* ${reason}`;
  return `${sign(decision)}*AI: ${decision}*${reason ? ` – ${reason}` : ''}`;
}
