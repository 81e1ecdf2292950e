/** Lines of a width, without characters that a terminal would obey. */

/** Control characters, and marks that change the direction of text. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces control characters other than line breaks. */
export function replaceControlCharacters(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replaceAll(UNSAFE, (each) => (each === '\n' ? each : '\ufffd'));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters that a reader sees. */
export function splitGraphemes(text: string): readonly string[] {
  if (/^[ -~]*$/.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function displayWidth(text: string): number {
  return splitGraphemes(text).length;
}

function breakWord(word: string, width: number): readonly string[] {
  const letters = splitGraphemes(word);
  const pieces: string[] = [];
  for (let at = 0; at < letters.length; at += width) pieces.push(letters.slice(at, at + width).join(''));
  return pieces;
}

function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current: string[] = [];
  let used = 0;
  for (const word of line.split(' ').flatMap((each) => (each === '' ? [''] : breakWord(each, width)))) {
    const wide = displayWidth(word);
    const longer = current.length === 0 ? wide : used + 1 + wide;
    if (longer > width) {
      lines.push(current.join(' '));
      current = [word];
      used = wide;
    } else {
      current.push(word);
      used = longer;
    }
  }
  return [...lines, current.join(' ')];
}

/** Wraps text to lines of at most `width` characters: the first after `first`, the others indented as far. */
export function wrapText(text: string, width: number, first = ''): readonly string[] {
  const indent = ' '.repeat(displayWidth(first));
  const room = Math.max(10, width - indent.length);
  const lines = replaceControlCharacters(text)
    .split('\n')
    .flatMap((line) => wrapLine(line, room));
  return lines.map((line, index) => `${index === 0 ? first : indent}${line}`.trimEnd());
}

/** At most `width` characters; an ellipsis replaces the rest. */
export function truncateText(text: string, width: number): string {
  const letters = splitGraphemes(text);
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
