/** How much text still fits into an input. Pure. */

export interface RemainingLengthNote {
  readonly words: string;
  readonly isWrong: boolean;
}

/** The note appears from this share of the maximum length on. */
const TOLD_FROM = 0.8;

function characters(count: number, more = ''): string {
  return `${count.toLocaleString('en')} ${more}${count === 1 ? 'character' : 'characters'}`;
}

/** The note under an input, if there is little room left. Lengths are UTF-16 units, as in `maxlength`. */
export function remainingLengthNote(
  length: number,
  { minLength = 0, maxLength }: { readonly minLength?: number; readonly maxLength?: number },
): RemainingLengthNote | undefined {
  if (length > 0 && length < minLength)
    return { words: `${characters(minLength - length, 'more ')} needed`, isWrong: false };
  if (maxLength === undefined || length === 0) return undefined;
  const left = maxLength - length;
  if (left < 0) return { words: `${characters(-left)} too many`, isWrong: true };
  return length >= maxLength * TOLD_FROM ? { words: `${characters(left)} left`, isWrong: false } : undefined;
}
