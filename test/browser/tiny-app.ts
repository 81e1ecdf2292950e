/** The page beside a tiny app, with the fields that Gigdesk doesn't use. */
import type { App, ViewStateValue } from '@slack/bolt';
import type { PlainTextElement } from '@slack/types';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import { MarketController } from '../../src/workbench/page/market-controller.ts';
import { startPageServer } from '../../src/workbench/page/start-page-server.ts';
import { seededRandom } from '../seeded-random.ts';
import { type Stage, startOverHttp, startStage } from '../workbench/slack/stage.ts';
import { openWindow } from './windows.ts';

const CITIES = ['Bergen', 'Berlin', 'Bern', 'Oslo', 'Osaka'];

const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text });
const option = (city: string) => ({ text: plain(city), value: city.toLowerCase() });

const MODAL = {
  type: 'modal' as const,
  callback_id: 'fields',
  title: plain('Fields'),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input' as const,
      block_id: 'files',
      label: plain('Price lists'),
      element: { type: 'file_input' as const, action_id: 'it', filetypes: ['csv'], max_files: 2 },
    },
    {
      type: 'input' as const,
      block_id: 'city',
      label: plain('City'),
      element: { type: 'external_select' as const, action_id: 'city', min_query_length: 2 },
    },
    {
      type: 'input' as const,
      block_id: 'more',
      optional: true,
      label: plain('More cities'),
      element: {
        type: 'multi_external_select' as const,
        action_id: 'more',
        min_query_length: 0,
        max_selected_items: 2,
      },
    },
  ],
};

export interface TinyApp extends Pick<Stage, 'slack'> {
  readonly page: Page;
  /** The form's submitted values, by block. */
  readonly sent: ReadonlyMap<string, ViewStateValue>;
  /** Closes everything and fails on any error. */
  stop(): Promise<void>;
}

/** `/gig` opens the form; its menus suggest cities while typing. */
function listen(app: App, sent: Map<string, ViewStateValue>): void {
  app.command('/gig', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: MODAL });
  });
  for (const id of ['city', 'more'])
    app.options(id, async ({ ack, options }) => {
      const found = CITIES.filter((city) => city.toLowerCase().startsWith(options.value.toLowerCase()));
      await ack({ options: found.map(option) });
    });
  app.view('fields', async ({ ack, view }) => {
    for (const [block, values] of Object.entries(view.state.values))
      for (const value of Object.values(values)) sent.set(block, value);
    await ack();
  });
}

export async function openTinyApp(): Promise<TinyApp> {
  const { address, root } = inject('surroundings');
  const stage = await startStage();
  const { slack, clock } = stage;
  const random = seededRandom(7);
  const marketplace = await startSimulatedMarketplace({ clock, random });
  const offers = { commands: [], shortcuts: [] };
  const life = {
    hurry: () => false,
    publish: () => false,
    publishHinted: async () => 'no-address' as const,
    publishStrange: () => false,
    invite: () => false,
    outcome: () => false,
    runJobs: () => false,
  };
  const market = new MarketController(marketplace, clock, life, async () => {});
  const served = await startPageServer({ slack, market, clock, offers, port: 0, root });
  const sent = new Map<string, ViewStateValue>();
  const running = await startOverHttp(slack, (app) => listen(app, sent));
  const complaints: string[] = [];
  const browser: Browser = await chromium.connect(address ?? expect.fail('there is no browser'));
  const page = await openWindow(browser, served.origin, complaints, {});
  return {
    slack,
    page,
    sent,
    stop: async () => {
      await browser.close();
      await served.close();
      await running.stop();
      await marketplace.close();
      const wrong = [...complaints, ...slack.failedCalls().map((call) => JSON.stringify(call))];
      await slack.close();
      expect(wrong).toEqual([]);
    },
  };
}
