/** The start of a long text, with a notice if it was clipped. Pure. */
import { cleanLine } from './clean-text.ts';
import { clipText } from './mrkdwn.ts';
import { formatNumber } from './numbers.ts';

/** One line of plain text, followed by `[300 of 1,240 characters]` if it was clipped. */
export function excerptText(text: string, max: number): string {
  const whole = cleanLine(text);
  if (whole.length <= max) return whole;
  return `${clipText(whole, max)} [${formatNumber(max)} of ${formatNumber(whole.length)} characters]`;
}
