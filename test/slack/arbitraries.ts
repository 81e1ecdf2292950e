/** Hostile texts. */
import * as fc from 'fast-check';

const nasty = fc.constantFrom(
  '<!channel>',
  '<!here|x>',
  '<@U0ANA>',
  '<https://evil.example|https://bank.example>',
  '&lt;!channel&gt;',
  '\u202Egnp.exe',
  '\u0000',
  '\u200B\u2800',
  '```code',
  '*_~`',
  '\n\n\n',
  '&amp;',
  '😀',
  '\uD800',
  '|',
  '>',
);

/** Up to huge sizes. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.oneof(nasty, fc.string({ maxLength: 20 })), { maxLength: 30 }).map((parts) => parts.join('')),
  fc
    .tuple(nasty, fc.integer({ min: 1, max: 100_000 }))
    .map(([part, size]) => part.repeat(Math.ceil(size / part.length))),
);
