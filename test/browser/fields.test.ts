import { afterEach, describe, expect, it } from 'vitest';
import { hasBrowser } from './desk.ts';
import { button, choose, field, modal, sees, type } from './drive.ts';
import { openTinyApp, type TinyApp } from './tiny-app.ts';

const csv = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`of ${name}`) });

describe.skipIf(!hasBrowser)('fields of an app in the page', () => {
  let app: TinyApp | undefined;

  afterEach(async () => {
    await app?.stop();
    app = undefined;
  });

  it('files are uploaded when chosen, listed by name, removable, and sent with their ids', async () => {
    app = await openTinyApp();
    const { page, slack, sent } = app;
    await type(page, '/gig');
    await modal(page).waitFor();
    await button(modal(page), 'Send').click();
    await expect.poll(() => modal(page).locator('.has-error').count()).toBe(2);
    const files = field(modal(page), 'Price lists');
    await files.setInputFiles([csv('one.csv'), { ...csv('plan.pdf'), mimeType: 'application/pdf' }]);
    await sees(modal(page), /“plan\.pdf”.*csv/u);
    await files.setInputFiles([csv('two.csv'), csv('three.csv')]);
    await sees(modal(page), /\b2 files\b/u);
    const chosen = modal(page).getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
    expect(await chosen.allTextContents()).toEqual(['one.csv', 'two.csv']);
    await modal(page).getByRole('button', { name: 'Remove one.csv' }).click();
    await files.setInputFiles(csv('three.csv'));
    await expect.poll(() => chosen.allTextContents()).toEqual(['two.csv', 'three.csv']);

    await field(modal(page), 'City').fill('be');
    await choose(modal(page), 'City', 'Berlin');
    await button(modal(page), 'Send').click();
    await modal(page).waitFor({ state: 'detached' });
    const told = sent.get('files')?.files ?? [];
    expect(told).toMatchObject([{ name: 'two.csv' }, { name: 'three.csv', mimetype: 'text/csv', size: 12 }]);
    const kept = slack.files().find(({ id }) => id === told[1]?.id);
    expect(kept?.bytes.toString()).toBe('of three.csv');
  });

  it('menus whose options the app is asked for take what was found, also in several searches', async () => {
    app = await openTinyApp();
    const { page, sent } = app;
    await type(page, '/gig');
    await modal(page).waitFor();
    await field(modal(page), 'Price lists').setInputFiles(csv('one.csv'));
    const city = field(modal(page), 'City');
    await city.fill('b');
    await sees(modal(page), 'Type at least 2 letters to search.');
    await city.fill('bx');
    await sees(modal(page), 'No results.');
    await city.fill('ber');
    const options = modal(page).getByRole('option');
    await expect.poll(() => options.allTextContents()).toEqual(['Bergen', 'Berlin', 'Bern']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await city.inputValue()).toBe('Berlin');
    // Review it once more without changes.
    await city.fill('os');
    await options.filter({ hasText: 'Oslo' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await city.inputValue()).toBe('Berlin');

    const more = field(modal(page), 'More cities');
    await more.fill('osl');
    await options.filter({ hasText: 'Oslo' }).click();
    await more.fill('bergen');
    await expect.poll(() => options.allTextContents()).toEqual(['Bergen']);
    await page.keyboard.press('Enter');
    await sees(modal(page), 'You can choose up to 2.');
    await page.keyboard.press('Escape');
    await button(modal(page), 'Send').click();
    await modal(page).waitFor({ state: 'detached' });
    expect(sent.get('city')?.selected_option?.value).toBe('berlin');
    expect(sent.get('more')?.selected_options?.map(({ value }) => value)).toEqual(['oslo', 'bergen']);
  });
});
