import { describe, expect, it } from 'vitest';
import { GUIDE } from '../../src/workbench/sandbox-seed.ts';
import { playOpening } from '../../src/workbench/sandbox-tour.ts';
import { seededRandom } from '../seeded-random.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { goTo, message, sees, type } from './drive.ts';

describe.skipIf(!hasBrowser)('who opens the sandbox for the first time', () => {
  const desk = setUpDesk({
    prepare: (it) => playOpening(it, it.clock, seededRandom(5), () => undefined),
  });

  it('sees cards, and a guide who says what to press', async () => {
    const page = await desk().open();
    const tour = message(page, 'I am your guide');
    await tour.waitFor();
    expect(await tour.locator('.author').textContent()).toBe(GUIDE);
    expect(await tour.locator('.badge').count()).toBe(0);
    expect((await tour.locator('.rich').innerText()).trim().split('\n')).toHaveLength(6);
    expect(await page.locator('.message.card').count()).toBeGreaterThan(2);
    expect((await tour.boundingBox())?.height).toBeLessThan(300);
  });

  it('finds what the guide names', async () => {
    const page = await desk().open();
    await message(page, 'Invitation: ').waitFor();
    await page
      .getByText(/^(?:Viewed|Interviewed|Hired|Withdrawn|Boost outbid)/u)
      .last()
      .waitFor();
    await type(page, '/gig digest now');
    await sees(page, /Digest for/u);
    await goTo(page, 'gigdesk');
    await page.getByRole('tab', { name: 'Home' }).click();
    await sees(page.locator('#home'), /new-projects/u);
    await page.getByTitle('Act as another person').click();
    for (const name of ['ben', 'gus', 'sam'])
      await page.getByRole('menuitemradio').locator('.menu-label').getByText(name, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Let an hour pass' }).waitFor();
  });
});
