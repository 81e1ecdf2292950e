/** A hint for the first project that Gigdesk ever sees, when the server's unit of time isn't known yet. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import { FILTER } from '../kit/start-desk.ts';

/** Eight filters share eight requests a minute: without a hint, each is read every 80 s or so. */
const busyTest = appTestWith({
  requestsPerMinute: 8,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '8', DEFAULT_CHANNEL_BUDGET: '500' },
});

const MODES: readonly [string, Partial<MarketplaceModes>, number][] = [
  ['in seconds', {}, 25],
  ['in milliseconds', { milliseconds: true }, 25],
  ['in seconds, without times on empty pages', { silentMarks: true }, 25],
  ['in milliseconds, without times on empty pages', { milliseconds: true, silentMarks: true }, 90],
  ['oldest first, without times on empty pages', { oldestFirst: true, silentMarks: true }, 90],
];

describe.each(MODES)('a server that counts %s', (_, modes, withinS) => {
  // Each read tries another unit: the hint comes before any of them.
  for (const afterS of [0, 90])
    busyTest(
      `shows the first project soon after its hint, ${afterS} s after the start`,
      async ({ app, market, ada, pass }) => {
        market.service.setModes(modes);
        for (let filter = 102; filter <= 108; filter++) {
          market.service.addFilter({ id: filter });
          await ada.type(`/gig subscribe filter ${filter}`);
        }
        const form = await (await ada.type('/gig settings')).press('Hints');
        const [, secret = ''] = /\/hooks\/(T[\w-]+)/u.exec(form.text) ?? [];
        await ada.close();
        await pass(MINUTE + afterS * SECOND);
        const published = market.publish();
        const at = app.clock.now();
        const url = `${app.address()}/hooks/${secret}?filter=${FILTER.id}`;
        expect((await globalThis.fetch(url, { method: 'POST' })).status).toBe(200);
        await published.cardIn('web');
        expect(app.clock.now() - at).toBeLessThanOrEqual(withinS * SECOND);
      },
    );
});
