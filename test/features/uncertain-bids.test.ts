/** A bid without a clear answer is first on Home, with Check: sending it again could bid twice. */
import { expect } from 'vitest';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import { PATHS } from '../kit/start-desk.ts';

const EFFECTS = {
  'a lost answer': { kind: 'drop', when: 'after' },
  'a server error': presetFaults.errorAfterEffect(),
} as const;

for (const [what, effect] of Object.entries(EFFECTS))
  appTest(`a bid after ${what} is first on Home, with Check alone`, async ({ market, ada, ben }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    market.fail(PATHS.bid, effect);
    await form.send({ 'Bidding setup': 'Fast setup', 'Cover letter': 'Dear client' });
    const home = await ben.home();
    expect(home.text).toContain('Rebuild our checkout');
    expect(home.offers('Continue')).toBe(false);
    expect(home.offers('Discard')).toBe(false);
    const checked = await home.press('Check');
    expect(checked.offers('Check Again')).toBe(true);
    expect((await ada.home()).offers('Check')).toBe(false);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
  });
