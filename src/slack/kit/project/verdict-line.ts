/** The verdict of the filter's AI qualifier. Pure. */
import type { Verdict } from '../../../marketplace/schema.ts';
import { isProjectQualified } from '../../../marketplace/wire/verdict.ts';
import { joinFacts, joinLines } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatTimeAgo } from '../time-ago.ts';

const PLAIN_WORDS: Readonly<Record<string, string>> = { true: 'qualified', false: 'not qualified' };

function sign(verdict: Verdict): string {
  const suits = isProjectQualified(verdict);
  if (suits === undefined) return '';
  return suits ? ':white_check_mark: ' : ':no_entry_sign: ';
}

/**
 * `:white_check_mark: *AI: qualified* – reason`; undefined while there is no verdict. Its values are not
 * documented, so unknown ones show unchanged. mrkdwn.
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

/** The verdict with its score and date. mrkdwn; undefined while there is no verdict. */
export function verdictDetailsText(verdict: Verdict | undefined): string | undefined {
  const { score, decidedAt } = verdict ?? {};
  const words = verdictLine(verdict, 500);
  const more = joinFacts(
    score === undefined ? undefined : `AI score ${Math.round(score * 100) / 100}`,
    decidedAt === undefined ? undefined : `decided ${formatTimeAgo(decidedAt)}`,
  );
  return joinLines(words, more) || undefined;
}
