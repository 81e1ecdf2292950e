/** Data begun on a copy: cards, charges, subscriptions and settings are back, and nothing comes twice. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import { SHOP } from '../kit/start-desk.ts';

const onDisk = appTestWith({ realDisk: true });

onDisk(
  'stopped, copied, lost, and begun on the copy',
  async ({ app, market, ada, ben, pass, onTestFinished }) => {
    const place = await mkdtemp(join(tmpdir(), 'gigdesk-backups-'));
    onTestFinished(() => rm(place, { recursive: true, force: true }));
    const { id } = market.service.addProfile();
    for (let count = 0; count < 12; count++) market.service.addProposal({ profileId: id });
    await ada.type(`/gig subscribe filter 101 -wordpress`);
    await ada.type(`/gig subscribe outcomes ${id}`);
    await ada.type('/gig budget 300');
    const card = await market.publish().cardIn('web');
    await ben.press(card, 'Claim');
    const charges = async () => (await (await ben.type('/gig budget')).press('Show Charges')).text;
    const before = await charges();
    await app.end();
    const copy = join(place, 'copy');
    await cp(app.data.folder(), copy, { recursive: true });
    await rm(app.data.folder(), { recursive: true });
    await app.start({ on: copy });
    await pass(5 * MINUTE);
    expect(await charges()).toBe(before);
    expect((await ada.type('/gig list')).text).toContain('-wordpress');
    expect((await ada.type('/gig budget')).text).toContain('1 of 300 credits spent');
    expect((await ada.type('/gig proposals')).text).toMatch(/\b12\b/u);
    await ben.press(card, 'Release');
    expect(card.offers('Claim')).toBe(true);
    await market.publish({ ...SHOP, title: 'A lake house' }).cardIn('web');
    const cards = ben.reads('web').filter((it) => it.offers('Details'));
    expect(cards).toHaveLength(2);
    expect(app.logLines.filter((line) => line.includes('"notice":'))).toEqual([]);
  },
);
