/** A replica that has lost its workspace sends nothing more to Slack: no answer, and no file. */
import { expect } from 'vitest';
import type { createApp } from '../../src/app/app.ts';
import { UserId } from '../../src/ids.ts';
import { appTestWith } from '../kit/app-test.ts';
import { installedApp, type StoredAccount } from './account-app.ts';

let account: StoredAccount;
/** Addresses of the requests through `fetch`. */
let fetched: string[];
let onFetch: (address: string) => void;

const create: typeof createApp = (config, ports) => {
  const { workspaces } = config;
  if (workspaces.mode !== 'single') throw new Error('not a single workspace');
  fetched = [];
  onFetch = () => undefined;
  account = { token: workspaces.marketplaceToken, installedBy: UserId.parse('U1') };
  const { fetch = globalThis.fetch } = ports;
  return installedApp(account)(config, {
    ...ports,
    fetch: async (input, init) => {
      const address = String(input);
      fetched.push(address);
      const answer = await fetch(input, init);
      onFetch(address);
      return answer;
    },
  });
};

const ownedTest = appTestWith({ createApp: create });

ownedTest('answers no command through its response_url', async ({ ada }) => {
  const before = ada.notes('web').length;
  await ada.type('/gig help');
  expect(ada.notes('web')).toHaveLength(before + 1);
  account.isLost = true;
  await ada.type('/gig help');
  expect(ada.notes('web')).toHaveLength(before + 1);
});

ownedTest('uploads no file', async ({ ada, slack }) => {
  await ada.type('/gig audit export');
  expect(slack.files()).toHaveLength(1);
  onFetch = (address) => {
    account.isLost ||= address.includes('getUploadURLExternal');
  };
  fetched.length = 0;
  await ada.type('/gig audit export');
  expect(account.isLost).toBe(true);
  expect(fetched.at(-1)).toContain('getUploadURLExternal');
  expect(slack.files()).toHaveLength(1);
});
