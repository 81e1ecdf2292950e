/** Blocks as HTML: rendered as in Slack, and never with a stranger's markup. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSlackDate } from '../../../src/workbench/page/render/dates.ts';
import { buildShownElement } from '../../../src/workbench/page/render/elements.ts';
import { buildShownBlocks } from '../../../src/workbench/page/render/shown-blocks.ts';
import { staticBlockHtml } from '../../../src/workbench/page/render/static-blocks.ts';
import {
  type HtmlRenderContext,
  textObjectHtml,
  textObjectToPlainText,
} from '../../../src/workbench/page/render/text-objects.ts';
import type { Block } from '../../../src/workbench/slack/objects.ts';

const NOW = Date.UTC(2026, 0, 5, 23, 30);
const paper: HtmlRenderContext = {
  reader: { timezone: 'Europe/Berlin', now: NOW },
  names: {
    user: (id) => (id === 'U1' ? 'ada' : undefined),
    channel: (id) => (id === 'C1' ? 'web' : undefined),
    group: (id) => (id === 'S1' ? 'crew' : undefined),
  },
};
const choices = { people: [{ text: '@ada', value: 'U1' }], channels: [{ text: '#web', value: 'C1' }] };
const mrkdwn = (text: string) => textObjectHtml({ type: 'mrkdwn', text }, paper);
const plain = (text: string) => textObjectHtml({ type: 'plain_text', text }, paper);
const block = (fields: Record<string, unknown>) =>
  staticBlockHtml({ block_id: 'b', type: '', ...fields } as Block, paper);
const link = (url: string, words: string) =>
  `<a class="link" href="${url}" target="_blank" rel="noopener noreferrer">${words}</a>`;

describe('mrkdwn', () => {
  it.each([
    ['*b* _i_ ~s~ `c *x*`', '<strong>b</strong> <em>i</em> <s>s</s> <code>c *x*</code>'],
    ['*a _b_*', '<strong>a </strong><strong><em>b</em></strong>'],
    ['2*3*4 snake_case_name * x *', '2*3*4 snake_case_name * x *'],
    ['*not\nover lines*', '*not<br>over lines*'],
    ['one\ntwo\n\n# three', 'one<br>two<br><br># three'],
    [
      '<@U1> <@U2> <@U1|old> <#C1> <!subteam^S1>',
      ['@ada', '@U2', '@ada', '#web', '@crew'].map((it) => `<span class="mention">${it}</span>`).join(' '),
    ],
    [
      '*<@U1>* <!here>',
      '<strong><span class="mention">@ada</span></strong> <span class="mention">@here</span>',
    ],
    [
      '*<https://x.example/?a=1&amp;b=2|a &lt;b&gt;>*',
      `<strong>${link('https://x.example/?a=1&amp;b=2', 'a &lt;b&gt;')}</strong>`,
    ],
    ['see https://x.example/a.', `see ${link('https://x.example/a', 'https://x.example/a')}.`],
    ['<mailto:a@b.example|write>', link('mailto:a@b.example', 'write')],
    ['<javascript:alert(1)|press> <data:text/html,x|d>', 'press d'],
    ['<b>x</b> &lt;i&gt; &amp;lt;', '&lt;b&gt;x&lt;/b&gt; &lt;i&gt; &amp;lt;'],
    [
      ':dart: :no_such_thing: 9:05:30',
      '<span class="emoji" title=":dart:">🎯</span> :no_such_thing: 9:05:30',
    ],
  ])('%s', (text, html) => {
    expect(mrkdwn(text)).toBe(`<p>${html}</p>`);
  });

  it('quotes and code stand apart, and nothing is formatted in code', () => {
    expect(mrkdwn('&gt; a\n&gt; b\nc\n```\n*x* &lt;\n  <https://x.example|y>\n```\nd')).toBe(
      '<blockquote><p>a<br>b</p></blockquote><p>c</p><pre>*x* &lt;\n  y</pre><p>d</p>',
    );
    expect(mrkdwn('&gt;&gt;&gt;a\nb')).toBe('<blockquote><p>a<br>b</p></blockquote>');
  });

  it('verbatim text has no links of its own making', () => {
    expect(textObjectHtml({ type: 'mrkdwn', text: 'https://x.example', verbatim: true }, paper)).toBe(
      '<p>https://x.example</p>',
    );
  });
});

describe('plain text', () => {
  it('keeps every sign, and shows emoji unless they are off', () => {
    expect(plain('*b* _i_ `c` <@U1> https://x.example\n:dart:')).toBe(
      '<p>*b* _i_ `c` &lt;@U1&gt; https://x.example<br><span class="emoji" title=":dart:">🎯</span></p>',
    );
    expect(textObjectHtml({ type: 'plain_text', text: ':dart:', emoji: false }, paper)).toBe('<p>:dart:</p>');
    expect(textObjectToPlainText({ type: 'plain_text', text: ':dart: "a" & \'b\' <c>' }, paper)).toBe(
      '🎯 "a" & \'b\' <c>',
    );
  });
});

describe('dates', () => {
  const at = (iso: string) => String(Date.parse(iso) / 1000);
  it.each([
    ['2026-01-05T23:05:00Z', '{date_short_pretty} at {time}', 'Today at 12:05 AM'],
    ['2026-01-05T22:05:00Z', 'Sent {date_pretty}', 'Sent yesterday'],
    ['2026-01-07T22:05:00Z', '{date_pretty}', 'Tomorrow'],
    ['2026-01-07T22:05:00Z', '\u200b{date_pretty}', '\u200btomorrow'],
    ['2026-03-02T12:00:00Z', '{date}', 'March 2nd, 2026'],
    ['2026-03-11T12:00:00Z', '{date_long}', 'Wednesday, March 11th, 2026'],
    ['2026-03-02T12:00:00Z', '{date_num} {date_short} {time_secs}', '2026-03-02 Mar 2, 2026 1:00:00 PM'],
    ['2026-01-05T23:29:00Z', '{ago}', '1 minute ago'],
    ['2026-01-06T02:30:00Z', '{ago}', 'in 3 hours'],
  ])('%s as %s', (iso, format, words) => {
    expect(formatSlackDate(at(iso), format, paper.reader)).toBe(words);
  });

  it('falls back where Slack does', () => {
    expect(mrkdwn('<!date^x^{time}|then> <!date^1^{nope}|then> <!date^99999999999999^{time}|then>')).toBe(
      '<p>then then then</p>',
    );
    expect(mrkdwn('<!date^1767655800^{ago}^https://x.example|then>')).toBe(
      `<p>${link('https://x.example', 'just now')}</p>`,
    );
  });
});

describe('blocks', () => {
  it('draws a chart: a bar for each value, a line for each series; its label has all numbers', () => {
    const chart = (type: string, names: readonly string[]) => ({
      type: 'data_visualization',
      block_id: 'b',
      title: 'Bids <all>',
      chart: {
        type,
        series: names.map((name) => ({
          name,
          data: [
            { label: 'Tue', value: 4 },
            { label: 'Mon', value: 0 },
          ],
        })),
        axis_config: { categories: ['Mon', 'Tue'], x_label: 'Day' },
      },
    });
    const bars = staticBlockHtml(chart('bar', ['Sent']), paper);
    expect(bars).toContain('<figcaption>Bids &lt;all&gt;</figcaption>');
    expect(bars).toContain('aria-label="Sent: Mon 0, Tue 4"');
    expect(bars.match(/<rect [^>]*height="([\d.]+)"/gu)).toHaveLength(2);
    expect(bars).not.toContain('class="key');
    const lines = staticBlockHtml(chart('line', ['Sent', 'Won']), paper);
    expect(lines.match(/<polyline /gu)).toHaveLength(2);
    expect(lines).toContain('Won</span>');
  });

  it.each([
    [{ type: 'header', text: { type: 'plain_text', text: '*Head*' } }, '<h3 class="header">*Head*</h3>'],
    [{ type: 'divider' }, '<hr>'],
    [
      {
        type: 'section',
        fields: [
          { type: 'mrkdwn', text: '*a*' },
          { type: 'plain_text', text: '*b*' },
        ],
      },
      '<div class="fields"><div class="field"><p><strong>a</strong></p></div>' +
        '<div class="field"><p>*b*</p></div></div>',
    ],
    [
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'a\n*b*' },
          { type: 'image', slack_file: { id: 'F1' }, alt_text: '"x' },
        ],
      },
      '<div class="context"><div class="words">a<br><strong>b</strong></div>' +
        '<img src="/files/F1" alt="&quot;x"></div>',
    ],
    [
      {
        type: 'image',
        image_url: 'https://x.example/a.png',
        alt_text: 'A',
        title: { type: 'plain_text', text: 'T' },
      },
      `<figure><figcaption>T</figcaption>${link('https://x.example/a.png', '(image: A)')}</figure>`,
    ],
    [{ type: 'image', image_url: 'javascript:alert(1)', alt_text: 'A' }, '<figure>(image: A)</figure>'],
    [
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: '*a*' },
            { type: 'raw_number', value: 3 },
          ],
        ],
      },
      '<table><tbody><tr><td><p>*a*</p></td><td><p>3</p></td></tr></tbody></table>',
    ],
    [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'a', style: { bold: true } },
              { type: 'date', timestamp: 1767655800, format: '{date_num}', fallback: 'f' },
            ],
          },
        ],
      },
      '<p><strong>a</strong>2026-01-06</p>',
    ],
    [
      { type: 'markdown', text: '**b** [x](javascript:alert(1)) <script>x</script>' },
      '<p><strong>b</strong> <a>x</a> &lt;script&gt;x&lt;/script&gt;</p>',
    ],
    [{ type: 'video' }, '<p>(video)</p>'],
  ])('%o', (given, html) => {
    expect(block(given)).toBe(html);
  });

  const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });
  const words = (text: string) => ({ type: 'plain_text', text });

  it.each([
    [
      { type: 'multi_users_select', initial_users: ['U1'] },
      { type: 'multi-select', current: ['U1'] },
    ],
    [
      { type: 'external_select', initial_option: option('x') },
      { minQuery: 3, current: 'x' },
    ],
    [{ type: 'multi_external_select', initial_options: [option('x')] }, { current: ['x'] }],
    [
      { type: 'file_input', filetypes: ['csv'], max_files: 2 },
      { fileTypes: ['csv'], maxFiles: 2 },
    ],
    [{ type: 'datetimepicker', initial_date_time: 1767655800 }, { current: '1767655800' }],
    [
      { type: 'number_input', min_value: '5', initial_value: '7' },
      { min: '5', current: '7' },
    ],
    [
      { type: 'static_select', option_groups: [{ label: words('G'), options: [option('x')] }] },
      { groups: [{ label: 'G', options: [{ value: 'x' }] }] },
    ],
    [{ type: 'button', text: words(':dart: Go'), url: 'javascript:alert(1)' }, { label: '🎯 Go' }],
    [{ type: 'feedback_buttons' }, { type: 'unknown' }],
  ])('hands on the control %o with what it needs', (element, shown) => {
    const built = buildShownElement({ action_id: 'a', ...element }, 'b', paper, choices);
    expect(built).toMatchObject(shown);
    expect(built).not.toHaveProperty('url');
  });
});

/** Pieces of attacks. */
const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '&lt;',
        '*',
        '_',
        '`',
        '```',
        '\n',
        '> ',
        '|',
        '<script>',
        '</p>',
        '<img src=x onerror=alert(1)>',
        '<javascript:alert(1)|x>',
        '" onclick="x',
        ':dart:',
        '<@U1>',
        '<!date^1^{time}|<b>>',
        '](javascript:alert(1))',
        '<https://x.example/"><b>|y>',
        'https://x.example/"onmouseover=x',
        '<span class="mention">',
      ),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(''));

const TAGS = new RegExp(
  [
    /<\/?(?:p|br|strong|em|s|del|code|pre|blockquote|ul|ol|li|hr|h[1-6])>/u,
    /<\/?(?:table|thead|tbody|tr|th|td|a|figure|figcaption)>/u,
    /<\/(?:span|div)>/u,
    /<span class="(?:mention|emoji)"(?: title="[^"<>]*")?>/u,
    /<div class="(?:context|words|fields|field)">/u,
    /<h3 class="header">/u,
    /<a class="link" href="(?:https?:|mailto:)[^"<>]*" target="_blank" rel="noopener noreferrer">/u,
    /<img src="\/files\/[^"<>/]*" alt="[^"<>]*">/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

describe('whatever strangers write', () => {
  it('becomes no tag but ours, and no attribute', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const words = { type: 'mrkdwn', text };
        const still = { type: 'plain_text', text };
        const blocks = [
          { type: 'section', text: words, fields: [words, still] },
          { type: 'header', text: still },
          {
            type: 'context',
            elements: [words, still, { type: 'image', slack_file: { id: text }, alt_text: text }],
          },
          { type: 'image', image_url: text, alt_text: text, title: still },
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text },
                  { type: 'link', url: text, text },
                ],
              },
            ],
          },
          { type: 'table', rows: [[{ type: 'raw_text', text }]] },
          { type: 'markdown', text },
          { type: text },
        ].map((each, at) => ({ block_id: `${at}`, ...each }) as Block);
        for (const shown of buildShownBlocks(blocks, paper, choices)) {
          const html = 'html' in shown ? shown.html : '';
          expect(html.replaceAll(TAGS, '')).not.toMatch(/[<>]/u);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is no link where it begins with signs that nobody sees', () => {
    const image = { type: 'image', image_url: '\u0000https://x.example/a"b', alt_text: 'a' };
    expect(block(image)).not.toContain('<a');
    expect(block({ ...image, image_url: 'https://x.example/a"b' })).toContain('<a');
  });

  it('plain text says exactly what was written', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        fc.pre(!/:[a-z0-9_+'-]+:|&(?:amp|lt|gt);/iu.test(text));
        expect(textObjectToPlainText({ type: 'plain_text', text }, paper)).toBe(text);
      }),
    );
  });

  it('is read to its end within seconds, however many signs it has', { timeout: 5_000 }, () => {
    expect(mrkdwn(' *a'.repeat(13_000))).toBe(`<p>${' *a'.repeat(13_000)}</p>`);
  });
});

describe('the newer blocks', () => {
  const shown = (fields: Record<string, unknown>) =>
    buildShownBlocks([{ block_id: 'b', type: '', ...fields } as Block], paper, choices)[0];
  const words = (text: string) => ({ type: 'raw_text', text });

  it('are a table whose cells name what they sort by', () => {
    const at = Date.UTC(2026, 0, 5, 9) / 1_000;
    const date = { type: 'date', timestamp: at, format: '{date_num}', fallback: 'x' };
    const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [date] }] };
    const table = shown({
      type: 'data_table',
      caption: 'Setups',
      page_size: 10,
      rows: [
        [words('Name'), words('Sent'), words('Last')],
        [words('<b>Node</b>'), { type: 'raw_number', value: 1_200, text: '1,200' }, rich],
      ],
    });
    expect(table).toMatchObject({ kind: 'data-table', columns: ['Name', 'Sent', 'Last'], pageSize: 10 });
    const [row] = table?.kind === 'data-table' ? table.rows : [];
    expect(row?.map(({ sort }) => sort)).toEqual(['<b>Node</b>', 1_200, at]);
    expect(row?.[0]?.html).toBe('&lt;b&gt;Node&lt;/b&gt;');
    expect(row?.[2]?.html).toContain('2026');
  });

  it('are a coloured alert', () => {
    const text = { type: 'mrkdwn', text: '*No* <script>' };
    expect(block({ type: 'alert', level: 'warning', text })).toBe(
      '<div class="alert alert-warning" role="note"><strong>No</strong> &lt;script&gt;</div>',
    );
    expect(block({ type: 'alert', level: '"><x', text })).toContain('"alert alert-default"');
  });

  it('are a container that folds, with the elements inside', () => {
    const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
    expect(
      shown({
        type: 'container',
        title: { type: 'plain_text', text: 'Details' },
        is_collapsible: true,
        default_collapsed: true,
        child_blocks: [{ type: 'actions', block_id: 'c', elements: [button] }],
      }),
    ).toMatchObject({
      kind: 'container',
      title: 'Details',
      canFold: true,
      isFolded: true,
      blocks: [{ kind: 'actions', elements: [{ actionId: 'go', blockId: 'c' }] }],
    });
  });
});
