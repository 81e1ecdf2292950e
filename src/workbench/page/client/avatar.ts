/** A colored square that tells people apart. */
import { createDomElement, createIcon } from './dom.ts';

const HUES = 8;

function hueOf(name: string): number {
  let sum = 0;
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9_973;
  return sum % HUES;
}

export function drawAvatar(name: string, isBot: boolean): HTMLElement {
  if (isBot)
    return createDomElement('span', { class: 'avatar app', 'aria-hidden': 'true' }, createIcon('gig'));
  const letter = String.fromCodePoint(name.codePointAt(0) ?? 0x3f).toUpperCase();
  return createDomElement('span', { class: `avatar hue-${hueOf(name)}`, 'aria-hidden': 'true' }, letter);
}
