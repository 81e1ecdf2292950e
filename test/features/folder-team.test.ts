/** A data folder belongs to one Slack team: another team's token gets nothing of it. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { appTestWith } from '../kit/app-test.ts';
import { PATHS } from '../kit/start-desk.ts';
import { seededRandom } from '../seeded-random.ts';

const OTHER = { id: 'T0ELSEWHERE', name: 'Elsewhere', domain: 'elsewhere' };

/** The hash of each file, by its path in the folder. */
async function hashFiles(folder: string) {
  const found = await readdir(folder, { withFileTypes: true, recursive: true });
  const hashes = found
    .filter((each) => each.isFile())
    .map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      const hash = createHash('sha256').update(await readFile(file));
      return [path.relative(folder, file), hash.digest('hex')] as const;
    });
  return new Map(await Promise.all(hashes));
}

appTestWith({ realDisk: true })(
  'a start with another team’s token is refused, and the right token goes on as before',
  async ({ app, slack, market, ada, pass, onTestFinished }) => {
    const card = await market.publish().cardIn('web');
    await ada.press(card, 'Claim');
    await app.end();
    const before = await hashFiles(app.data.folder());
    const read = market.requests(PATHS.projects).length;
    const elsewhere = await startSimulatedSlack({
      clock: app.clock,
      random: seededRandom(2),
      team: OTHER,
      botToken: 'xoxb-elsewhere',
    });
    onTestFinished(() => elsewhere.close());
    const env = { SLACK_API_URL: elsewhere.apiUrl, SLACK_BOT_TOKEN: elsewhere.botToken };
    const starting = app.start({ env });
    await expect(starting).rejects.toThrow(app.data.folder());
    await expect(starting).rejects.toThrow(new RegExp(`${slack.team.id}.*${OTHER.id}.*DATA_DIR`, 'u'));
    expect(await hashFiles(app.data.folder())).toEqual(before);
    expect(market.requests(PATHS.projects)).toHaveLength(read);

    await app.start();
    await pass(1_000);
    expect(card.text).toContain('@ada');
    await ada.press(card, 'Release');
    expect(card.offers('Claim')).toBe(true);
  },
);
