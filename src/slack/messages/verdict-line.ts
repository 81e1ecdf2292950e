/** What the filter's AI qualifier decided. */
import type { Verdict } from '../../marketplace/schema.ts';
import { isQualified } from '../../marketplace/verdict-words.ts';
import { safeLine } from '../blocks/mrkdwn.ts';

const PLAIN_WORDS: Readonly<Record<string, string>> = { true: 'qualified', false: 'not qualified' };

function sign(verdict: Verdict): string {
  const suits = isQualified(verdict);
  if (suits === undefined) return '';
  return suits ? ':white_check_mark: ' : ':no_entry_sign: ';
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
  return `${sign(verdict)}*AI: ${decision}*${reason ? ` – ${reason}` : ''}`;
}
