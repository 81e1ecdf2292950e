/** How much still fits into a text input. Pure. */

export interface LengthNote {
  readonly words: string;
  readonly isWrong: boolean;
}

/** From this part of the bound on the rest is told. */
const TOLD_FROM = 0.8;

function characters(count: number, more = ''): string {
  return `${count.toLocaleString('en')} ${more}${count === 1 ? 'character' : 'characters'}`;
}

/** What to say under an input, or nothing while there is room enough. Lengths in UTF-16 units, as `maxlength` counts. */
export function remainingLengthNote(
  length: number,
  { minLength = 0, maxLength }: { readonly minLength?: number; readonly maxLength?: number },
): LengthNote | undefined {
  if (length > 0 && length < minLength)
    return { words: `${characters(minLength - length, 'more ')} needed`, isWrong: false };
  if (maxLength === undefined || length === 0) return undefined;
  const left = maxLength - length;
  if (left < 0) return { words: `${characters(-left)} too many`, isWrong: true };
  return length >= maxLength * TOLD_FROM ? { words: `${characters(left)} left`, isWrong: false } : undefined;
}
