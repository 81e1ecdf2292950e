/** The beginning of a long text, which says when it was cut. */
import { cleanLine } from '../blocks/clean-text.ts';
import { clipText } from '../blocks/mrkdwn.ts';
import { formatNumber } from '../blocks/numbers.ts';

/** One line of plain text; `[300 of 1,240 characters]` follows where it was cut. */
export function excerptText(text: string, max: number): string {
  const whole = cleanLine(text);
  if (whole.length <= max) return whole;
  return `${clipText(whole, max)} [${formatNumber(max)} of ${formatNumber(whole.length)} characters]`;
}
