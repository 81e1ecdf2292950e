/** Fields that Gigdesk doesn't use, in the form of a tiny app. */
import type { App, ViewStateValue } from '@slack/bolt';
import type { ExternalSelect } from '@slack/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plain, type RunningApp, startOverHttp } from '../workbench/slack/stage.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { button, choose, field, modal, sees, type } from './drive.ts';

const csv = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`of ${name}`) });
const CITIES = ['Bergen', 'Berlin', 'Bern', 'Oslo', 'Osaka'];

const input = (id: string, label: string, element: object, optional = false) => {
  const block = { type: 'input' as const, block_id: id, label: plain(label), optional };
  return { ...block, element: { ...element, action_id: id } as ExternalSelect };
};
const MANY = { type: 'multi_external_select', max_selected_items: 2 };
const FORM = {
  type: 'modal' as const,
  callback_id: 'fields',
  title: plain('Fields'),
  submit: plain('Send'),
  blocks: [
    input('files', 'Price lists', { type: 'file_input', filetypes: ['csv'], max_files: 2 }),
    input('city', 'City', { type: 'external_select', min_query_length: 2 }),
    input('more', 'More cities', { ...MANY, min_query_length: 0 }, true),
  ],
};

/** The form's submitted values, by block. */
const sent = new Map<string, ViewStateValue>();

/** `/gig` opens the form; its menus suggest cities while typing. */
function listen(app: App): void {
  app.command('/gig', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: FORM });
  });
  app.options(/./u, async ({ ack, options }) => {
    const found = CITIES.filter((city) => city.toLowerCase().startsWith(options.value.toLowerCase()));
    await ack({ options: found.map((city) => ({ text: plain(city), value: city.toLowerCase() })) });
  });
  app.view('fields', async ({ ack, view }) => {
    for (const [block, values] of Object.entries(view.state.values))
      sent.set(block, values[block] as ViewStateValue);
    await ack();
  });
}

describe.skipIf(!hasBrowser)('fields of an app in the page', () => {
  const desk = setUpDesk();
  let app: RunningApp;
  beforeEach(async () => {
    app = await startOverHttp(desk().slack, listen);
  });
  afterEach(() => app.stop());

  it('files are uploaded when chosen, listed by name, removable, and sent with their ids', async () => {
    const page = await desk().open();
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
    const kept = desk()
      .slack.files()
      .find(({ id }) => id === told[1]?.id);
    expect(kept?.bytes.toString()).toBe('of three.csv');
  });

  it('menus whose options the app is asked for take what was found, also in several searches', async () => {
    const page = await desk().open();
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
