import { beforeEach, describe, expect, it } from 'vitest';
import { MessageTs } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import type { LookupOutcome } from '../../../src/projects/projects.ts';
import { lookUpProjectShortcut } from '../../../src/slack/cards/lookup.ts';
import { type Desk, startDesk } from '../fakes.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

function onMessage(text: string, blocks: unknown = []): Promise<void> {
  const ts = MessageTs.parse('1795165000.000001');
  return lookUpProjectShortcut.run({ ...desk.command(''), message: { ts, text, blocks } });
}

const PROJECT = 'https://www.marketplace.example/jobs/~0123456789';

describe('“Look up project” on a message', () => {
  it('shows the project of its link, to the person alone', async () => {
    await onMessage(`Shall we? <${PROJECT}|this one> or not.`);
    expect(desk.shown.map((each) => each.to)).toEqual(['person']);
    expect(desk.words()).toContain('Rebuild our checkout');
  });

  it('finds a link that stands in blocks alone, and a bare id', async () => {
    const link = { type: 'link', url: `${PROJECT}?a=1` };
    await onMessage('', [{ type: 'rich_text', elements: [{ elements: [link] }] }]);
    await onMessage('What of ~0123456789012?');
    expect(desk.state.lookups).toEqual([{ ciphertext: '~0123456789' }, { ciphertext: '~0123456789012' }]);
  });

  it('looks up the same project once and three at most, and counts the rest', async () => {
    const links = [1, 1, 2, 3, 4, 5].map((n) => `${PROJECT}${n}`).join(' ');
    await onMessage(links);
    expect(desk.state.lookups).toHaveLength(3);
    expect(desk.shown.at(-1)?.message.text).toMatch(/\b2\b/u);
    expect(desk.shown.at(-1)?.message.text).toMatchSnapshot();
  });

  it.each([
    ['unknown', { kind: 'failed', error: new MarketplaceError('not-found', 'none', 'gone') }],
    ['too dear', { kind: 'account-spent', remaining: 0 }],
  ] satisfies [string, LookupOutcome][])(
    'says of which project it speaks when each is %s',
    async (_, outcome) => {
      desk.state.lookup = outcome;
      await onMessage(`${PROJECT}1 and ${PROJECT}2`);
      const texts = desk.shown.map((each) => each.message.text);
      expect(texts).toEqual([
        expect.stringContaining('`~01234567891`'),
        expect.stringContaining('`~01234567892`'),
      ]);
    },
  );

  it('says which were not looked up when one fails', async () => {
    const error = new MarketplaceError('server', 'none', 'fault');
    desk.state.lookup = { kind: 'failed', error };
    await expect(onMessage(`${PROJECT}1 and ${PROJECT}2`)).rejects.toBe(error);
    expect(desk.shown).toHaveLength(1);
    for (const each of ['`~01234567891`', '`~01234567892`']) expect(desk.words()).toContain(each);
    expect(desk.read()).toMatchSnapshot();
  });

  it('says so when there is none, whatever the message holds', async () => {
    const deep: unknown[] = [];
    let inner = deep;
    for (let n = 0; n < 1_000; n++) {
      const next: unknown[] = [];
      inner.push(next);
      inner = next;
    }
    await onMessage('<!channel> https://example.com/ \u0000', deep);
    expect(desk.read()).toMatchSnapshot();
    expect(desk.state.lookups).toEqual([]);
  });
});
