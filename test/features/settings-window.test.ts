/** The settings window: everyone sees all that is set, and admins change one part after the other. */
import { describe, expect } from 'vitest';
import { HOUR } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { densityText, SETTINGS_OUT_OF_DATE } from '../../src/slack/settings/settings-text.ts';
import { SETTINGS_TITLE } from '../../src/slack/settings/settings-window.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { refusalFor } from './as-read.ts';

const PARTS = [
  'Updates',
  'Quiet Hours',
  'Mentions',
  'Budget',
  'Response Times',
  'Spending Rules',
  'Cards and Approvals',
  'Hints',
];
/** Nothing arrives, so that hours pass quickly. */
const idleTest = appTestWith({ empty: true });
const COMPACT = { 'Card layout': 'Compact: two lines and buttons' };

describe('the settings window', () => {
  appTest('shows everyone what is set, with buttons only for admins', async ({ ada, ben }) => {
    const window = await ada.type('/gig settings');
    for (const part of PARTS) expect(window.offers(part), part).toBe(true);
    await (await window.press('Quiet Hours')).send({ 'Time zone': 'Tokyo' });
    await (await ada.form().press('Mentions')).send({ 'Mention 1: people': ['ben'] });
    const seen = await ben.type('/gig settings');
    for (const words of ['Asia/Tokyo', densityText('full'), 'All cards mention @ben', '500 credits'])
      expect(seen.text).toContain(words);
    for (const part of PARTS) {
      expect(seen.text).toContain(part);
      expect(seen.offers(part), part).toBe(false);
    }
    expect(seen.text).toContain('Only admins');
  });

  appTest('shows each change at once, and the channel reads who made it', async ({ ada, ben }) => {
    const last = () => ben.reads('web').at(-1)?.text;
    const notes = ada.notes('web').length;
    const window = await ada.type('/gig settings');
    const compact = await (await window.press('Updates')).send(COMPACT);
    expect(compact.text).toContain(SETTINGS_TITLE);
    expect(compact.text).toContain(densityText('compact'));
    expect(last()).toContain('@ada changed');
    expect(last()).toContain(densityText('compact'));
    const budget = await (await compact.press('Budget')).send({ 'Credits per billing period': '70' });
    expect(budget.text).toContain(SETTINGS_TITLE);
    expect(budget.text).toContain('70 credits');
    expect(last()).toMatch(/@ada.*70 credits/su);
    const rules = await budget.press('Spending Rules');
    const strict = await rules.send({ 'Second approval above this amount': '432' });
    expect(strict.text).toContain(SETTINGS_TITLE);
    expect(strict.text).toContain('432');
    expect(last()).toMatch(/@ada.*432/su);
    const times = await strict.press('Response Times');
    const fast = await times.send({ 'Targets and nudges': ['Show targets on cards and send nudges'] });
    expect(fast.text).toContain(SETTINGS_TITLE);
    expect(fast.text).not.toContain('Targets and nudges: off');
    expect(
      ada
        .notes('web')
        .slice(notes)
        .map((it) => it.text),
    ).toEqual([]);
  });

  appTest('keeps what two admins change in different parts at once', async ({ ada, desk }) => {
    const dan = desk.person('dan', { admin: true });
    const hers = await (await ada.type('/gig settings')).press('Updates');
    const his = await (await dan.type('/gig settings')).press('Cards and Approvals');
    await hers.send(COMPACT);
    const after = await his.send({ 'Requests for approval': 'Open for 4 hours' });
    expect(after.text).toContain(densityText('compact'));
    expect(after.text).toContain('open for 4 hours');
    expect(dan.notes('web')).toEqual([]);
  });

  appTest('takes no press on a button that it never showed', async ({ slack, ben }) => {
    await ben.type('/gig settings');
    const view = slack.view('ben') ?? expect.fail('no window');
    const ids = [actionIds.settingsUpdates, actionIds.settingsBudget, actionIds.responseSettings];
    for (const actionId of ids) {
      const before = ben.notes('web').length;
      await slack.press({ user: 'ben', view, actionId, value: actionId, force: true });
      await ben.type('/gig list');
      expect(ben.form().text).toContain(SETTINGS_TITLE);
      expect(ben.notes('web')[before]?.text).toContain(refusalFor('admin'));
    }
  });

  idleTest('that is a day old says so, and opens and changes nothing', async ({ desk, pass, ada }) => {
    const [dan, eve] = [desk.person('dan', { admin: true }), desk.person('eve', { admin: true })];
    await dan.type('/gig settings');
    await (await eve.type('/gig settings')).press('Updates');
    await pass(25 * HOUR);
    await ada.type('/gig settings');
    for (const part of ['Updates', 'Budget', 'Response Times', 'Spending Rules']) {
      const before = dan.inbox().length;
      await dan.form().press(part);
      expect(dan.form().text).toContain(SETTINGS_TITLE);
      expect(
        dan
          .inbox()
          .slice(before)
          .map((it) => it.text),
      ).toEqual([SETTINGS_OUT_OF_DATE]);
    }
    const refused = await eve.form().send(COMPACT);
    expect(refused.text).toContain(SETTINGS_OUT_OF_DATE);
    expect((await ada.type('/gig settings')).text).toContain(densityText('full'));
  });
});
