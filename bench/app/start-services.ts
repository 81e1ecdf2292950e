/** Simulated Slack and marketplace for the measured app, and a data folder as full as a busy team's. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineClock } from '../../src/clock.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { type Contender, startContender } from '../contender.ts';
import type { AppProcess } from './app-process.ts';
import type { FolderProcess } from './folder-process.ts';
import {
  channels,
  FILTERS_EACH,
  type FolderSize,
  holder,
  people,
  profile,
  signingSecret,
  team,
} from './place.ts';

export interface Services {
  readonly folder: string;
  /** A new process over the folder; the app isn't started yet. */
  readonly createApp: () => Contender<AppProcess>;
  readonly env: Readonly<Record<string, string>>;
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  /** Deletes the folder. */
  readonly close: () => Promise<void>;
}

export function scriptBeside(module: string, file: string): string {
  return fileURLToPath(new URL(file, module));
}

async function fillFolder(folder: string, size: FolderSize): Promise<void> {
  const filling = startContender<FolderProcess>(scriptBeside(import.meta.url, 'folder-process.js'));
  await filling.ask('fill', { folder, size });
  await filling.end();
}

export async function startServices(size: FolderSize): Promise<Services> {
  const folder = await mkdtemp(join(tmpdir(), 'gigdesk-app-'));
  await fillFolder(folder, size);
  const parts = { clock: machineClock, random: seededRandom(5) };
  const slack = await startSimulatedSlack({ ...parts, signingSecret, team: { id: team } });
  for (const id of channels) slack.addChannel({ id, name: id.toLowerCase() });
  for (const id of [...people, holder]) slack.addUser({ id, name: id.toLowerCase() });
  const marketplace = await startSimulatedMarketplace(parts);
  for (let id = 1; id <= channels.length * FILTERS_EACH; id++) marketplace.addFilter({ id });
  marketplace.addProfile({ id: profile });
  return {
    folder,
    slack,
    marketplace,
    createApp: () => startContender<AppProcess>(scriptBeside(import.meta.url, 'app-process.js')),
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: slack.apiUrl,
      MARKETPLACE_API_URL: marketplace.baseUrl,
      MARKETPLACE_API_TOKEN: marketplace.token,
      DATA_DIR: folder,
      PORT: '0',
    },
    close: async () => {
      await Promise.all([slack.close(), marketplace.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
