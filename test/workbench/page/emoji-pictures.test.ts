import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { emojiForName } from '../../../src/workbench/page/render/emoji.ts';

const ASSETS = 'src/workbench/page/assets';
const sheet = readFileSync(`${ASSETS}/emoji-pictures.css`, 'utf8');

/** Names of the emoji in the product's texts. */
function postedEmoji(): ReadonlySet<string> {
  const files = readdirSync('src/slack', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const texts = files.map((name) => readFileSync(`src/slack/${name}`, 'utf8')).join('\n');
  const names = [...texts.matchAll(/:([a-z][a-z0-9_]+):/gu)].flatMap(([, name]) => name ?? []);
  return new Set(names.filter((name) => emojiForName(name) !== undefined));
}

it('has a colored picture of each emoji that Gigdesk posts', () => {
  const posted = postedEmoji();
  expect(posted.size).toBeGreaterThan(20);
  expect([...posted].filter((name) => !sheet.includes(`url("emoji-pictures/${name}.svg")`))).toEqual([]);
});

it('has no rule without its picture, and no picture without its rule', () => {
  const ruled = [...sheet.matchAll(/url\("emoji-pictures\/([^"]+)"\)/gu)].map(([, file]) => file);
  expect(new Set(ruled)).toEqual(new Set(readdirSync(`${ASSETS}/emoji-pictures`)));
});
