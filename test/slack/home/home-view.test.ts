import type { HomeView, KnownBlock } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { homeView, outsiderHome } from '../../../src/slack/home/home-view.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { requestsDelayedText } from '../../../src/slack/status/status-parts.ts';
import { expectHarmlessTexts } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { findViewRubricProblems } from '../rubric.ts';
import { NOW } from '../samples.ts';
import { anyWord, CROWD, FULL, factsOf, PLAIN } from './crowded.ts';

function expectHarmlessHome(view: HomeView): void {
  expect(findViewLimitProblems(view)).toEqual([]);
  expect(findViewRubricProblems(view)).toEqual([]);
  expectHarmlessTexts('a Home', view.blocks);
}

const words = (view: HomeView) => asText({ text: 'a Home', blocks: view.blocks as KnownBlock[] });

describe('the view of a Home', () => {
  it('stays within Slack’s limits with 60 channels of 200 subscriptions, 100 jobs, hostile names', () => {
    fc.assert(
      fc.property(anyWord, fc.constantFrom('viewer', 'admin'), (word, role) => {
        expectHarmlessHome(homeView(factsOf(word, CROWD, role as 'viewer')));
      }),
      { numRuns: 40 },
    );
  });

  it('shows the first, counts the rest, and names what shows more', async () => {
    const view = homeView(factsOf('Pixel work', FULL));
    expect(view.blocks.length).toBeLessThanOrEqual(100);
    await expect(words(view)).toMatchFileSnapshot('./__snapshots__/crowded-home.txt');
  });

  it('reads as a page where little is there', async () => {
    await expect(words(homeView(factsOf('Pixel work', PLAIN)))).toMatchFileSnapshot(
      './__snapshots__/plain-home.txt',
    );
  });

  it('tells once that a channel is paused, by whom and until when', () => {
    const { channels, ...rest } = factsOf('Pixel work', PLAIN);
    const text = words(homeView({ ...rest, channels: channels.slice(0, 1) }));
    expect(text.match(/^:double_vertical_bar: .*<@.*$/gmu)).toHaveLength(1);
    expect(text.match(/:double_vertical_bar: \w+$/gmu)?.length).toBeGreaterThan(0);
  });

  it('tells that requests are held back, by the clock, since it may stand for long', () => {
    const facts = { ...factsOf('Pixel work', PLAIN), channels: [] };
    const gate = { limitPerMinute: 30, used: 7, waiting: 0, pausedUntil: NOW + 20_000 };
    const text = words(homeView({ ...facts, gate }));
    const heldBack = requestsDelayedText(gate, NOW, true) ?? expect.fail('nothing');
    expect(heldBack).toMatch(/<!date\^\d+\^\{time\}/u);
    expect(text).toContain(heldBack);
    expect(words(homeView({ ...facts, gate, at: NOW + 20_000 }))).not.toContain(heldBack);
    const trouble = { code: 'server', since: NOW, retryAt: NOW };
    expect(words(homeView({ ...facts, gate, feed: { trouble } }))).not.toContain(heldBack);
  });

  it('has nothing to press for guests', () => {
    for (const unsure of [{}, { unsure: true as const }]) {
      const view = outsiderHome(unsure);
      expectHarmlessHome(view);
      expect(JSON.stringify(view)).not.toContain('action_id');
    }
  });
});
