/** The start of a long text, with a notice if it was clipped. */
import { cleanLine } from '../blocks/clean-text.ts';
import { clipText } from '../blocks/mrkdwn.ts';
import { formatNumber } from '../blocks/numbers.ts';

/** One line of plain text, followed by `[300 of 1,240 characters]` if it was clipped. */
export function excerptText(text: string, max: number): string {
  const whole = cleanLine(text);
  if (whole.length <= max) return whole;
  return `${clipText(whole, max)} [${formatNumber(max)} of ${formatNumber(whole.length)} characters]`;
}
