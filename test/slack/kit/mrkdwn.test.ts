import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChannelId, UserId } from '../../../src/ids.ts';
import {
  channelLink,
  cleanLine,
  cleanText,
  clipText,
  escapeMrkdwn,
  formatDate,
  formatDateCapitalized,
  formatLink,
  formatMention,
  safeLine,
  safeText,
  safeUrl,
  unescapeMrkdwn,
} from '../../../src/slack/kit/mrkdwn.ts';
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  formatShortMoney,
} from '../../../src/slack/kit/numbers.ts';
import { formatSlackDate } from '../../../src/workbench/page/render/dates.ts';

/** Whole entities and whole characters only. */
const WHOLE = /^(?:&(?:amp|lt|gt);|[^&<>\p{Cs}])*$/u;

const hostile = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '&',
    '<',
    '>',
    '😀',
    '\u0000',
    '\u202E',
    '\u200B',
    '\n',
    '|',
    '!',
    '@',
    '\uD800',
  ),
  maxLength: 120,
});

describe("strangers' text", () => {
  it('cannot mention anybody or fake a link', () => {
    expect(safeLine('<!channel> see <https://evil.example|your bank> <@U1>', 200)).toBe(
      '&lt;!channel&gt; see &lt;https://evil.example|your bank&gt; &lt;@U1&gt;',
    );
  });

  it('loses what hides or reorders the text around it', () => {
    expect(cleanLine('a\u0000b\u202Ecod\u2066\u200B\uFEFFe\r\nnext\u2028line\t end ')).toBe(
      'abcode next line end',
    );
    expect(cleanText('one\r\n\r\n\r\n\r\ntwo   three ')).toBe('one\n\ntwo three');
    expect(cleanLine(`z${'\u0301'.repeat(50)}`).length).toBe(5);
  });

  it('is the same after the short way for clean text and after the long way', () => {
    const unit = fc.constantFrom(
      'a',
      '.',
      'é',
      '’',
      ' ',
      ' ',
      '\n',
      '\n',
      '\u00ad',
      '\u00a0',
      '\u2028',
      '😀',
    );
    // A null byte is removed, and takes the long way.
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(cleanText(text)).toBe(cleanText(`${text}\u0000`));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is never cut inside an entity or a character, and says that it was cut', () => {
    expect(clipText('fish &amp; chips', 8)).toBe('fish…');
    expect(clipText('abc😀😀', 5)).toBe('abc…');
    expect(clipText('see <https://a.example|the label> now', 20)).toBe('see…');
    expect(clipText('short', 5)).toBe('short');
    expect(clipText('anything', 0)).toBe('');
  });

  it('stays whole and within its length, whatever it is', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 0, max: 60 }), (text, max) => {
        for (const safe of [safeLine(text, max), safeText(text, max)]) {
          expect(safe.length).toBeLessThanOrEqual(max);
          expect(safe).toMatch(WHOLE);
        }
      }),
    );
  });

  it('comes back as it was when escaping is undone', () => {
    fc.assert(fc.property(fc.string(), (text) => unescapeMrkdwn(escapeMrkdwn(text)) === text));
  });
});

describe('links', () => {
  it('go to http addresses alone; else the label stands by itself', () => {
    expect(formatLink('https://example.com/jobs?a=1&b=2', 'A <b>')).toBe(
      '<https://example.com/jobs?a=1&amp;b=2|A &lt;b&gt;>',
    );
    for (const url of [
      'javascript:alert(1)',
      'mailto:a@b.example',
      'not a url',
      'https://user:pass@example.com/',
    ])
      expect(formatLink(url, 'Label')).toBe('Label');
  });

  it('cannot be broken out of by the address', () => {
    expect(formatLink('https://example.com/a|Your bank>b<!channel>', 'x')).toBe(
      '<https://example.com/a%7CYour%20bank%3Eb%3C!channel%3E|x>',
    );
    expect(safeUrl(`https://example.com/${'a'.repeat(3_000)}`)).toBeUndefined();
  });
});

describe('mentions and dates', () => {
  it('are made of real ids only', () => {
    expect(formatMention(UserId.parse('U1AB'))).toBe('<@U1AB>');
    expect(formatMention(UserId.parse('U1> <!channel'))).toBe('someone');
    expect(channelLink(ChannelId.parse('C1AB'))).toBe('<#C1AB>');
  });

  const AT = Date.UTC(2026, 0, 5, 9, 30);

  it("are shown in the reader's own time zone, and in UTC where that is not possible", () => {
    expect(formatDateCapitalized(AT)).toBe(
      '<!date^1767605400^{date_short_pretty} at {time}|Jan 5, 2026, 9:30 AM UTC>',
    );
  });

  it('name a day small within a sentence, and large where one begins', () => {
    const reader = { timezone: 'UTC', now: AT };
    const shown = (token: string) => {
      const [, seconds = '', format = ''] = token.split(/[\^|]/u);
      return formatSlackDate(seconds, format, reader);
    };
    expect(shown(formatDate(AT))).toBe('\u200btoday at 9:30 AM');
    expect(shown(formatDate(AT, 'date'))).toBe('\u200btoday');
    expect(shown(formatDateCapitalized(AT))).toBe('Today at 9:30 AM');
  });
});

describe('numbers', () => {
  it('read as English', () => {
    expect([
      formatNumber(1_234_567),
      formatMoney(1_500),
      formatMoney(12.5),
      formatMoney(-3),
      formatShortMoney(12_345),
    ]).toEqual(['1,234,567', '$1,500', '$12.50', '-$3', '$12.3K']);
    expect([formatCount(1, 'project'), formatCount(1_200, 'reply', 'replies'), formatPercent(0.834)]).toEqual(
      ['1 project', '1,200 replies', '83%'],
    );
    expect([
      formatDuration(400),
      formatDuration(40_000),
      formatDuration(180_000),
      formatDuration(7_200_000),
      formatDuration(5 * 86_400_000),
    ]).toEqual(['1 second', '40 seconds', '3 minutes', '2 hours', '5 days']);
  });
});
