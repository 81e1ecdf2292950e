/** `/gig audit export`: the audit log as a file, to the person who asks alone. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { begin } from './begin-bid.ts';
import { grant } from './bidder.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.slack.addUser({ name: 'cem' });
  world.slack.invite('web', 'cem');
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101 -wordpress');
});
afterEach(() => world.stop());

/** The newest file as text, and where it is. */
function newestFile(on = world) {
  const file = on.slack.files().at(-1) ?? expect.fail('there is no file');
  const text = file.bytes.toString('utf8');
  return { ...file, text, rows: text.trimEnd().split('\r\n') };
}

it('sends the file by direct message, and nothing to the channel', async () => {
  const before = world.slack.messages('web').length;
  const answer = await world.gig('web', 'audit export 30');
  const { text, rows, name, channel, initialComment } = newestFile();
  expect(answer).toMatch(/sent you a file/iu);
  expect(world.slack.messages('web')).toHaveLength(before);
  expect(channel).toMatch(/^D/u);
  expect(world.slack.directMessages('ada').map(wordsOf).join()).toContain(initialComment);
  expect(world.slack.directMessages('ben')).toEqual([]);
  expect(name).toMatch(/^gigdesk-audit-\d{4}-\d\d-\d\d-30d\.csv$/u);
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(rows[0]).toContain('"time","person","channel","action"');
  expect(rows).toHaveLength(3);
  const line = rows.find((row) => row.includes('"subscribed"')) ?? '';
  expect(line).toContain(world.slack.user('ada').id);
  expect(line).toContain(world.slack.channel('web').id);
  expect(line).toContain('-wordpress');
});

it('has what was shown of a decision, its cost and its place in the ledger', async () => {
  const { bid, world: bids } = await begin();
  await bid.open();
  await bid.submit('ben', {
    boost: '12',
    cover_letter: '=HYPERLINK("http://evil")\nI built 3 "shops", all live.',
  });
  await bids.gig('web', 'audit export');
  const { text } = newestFile(bids);
  expect(text).toContain('letter: \'=HYPERLINK(""http://evil"")\nI built 3 ""shops"", all live.');
  expect(text).not.toMatch(/(?:^|[,;"\r\n])=H/u);
  const { ledger } = await bid.books();
  const sent = ledger.entries.find((it) => it.entry === 'decision' && it.kind === 'bid');
  expect(text).toContain(`${sent?.seq},"${sent?.hash}"`);
});

it('leaves out private channels that the person is not in, and older entries', async () => {
  world.slack.addChannel({ name: 'secret', private: true, members: ['ben'] });

  await grant(world, ['ben']);
  await world.pass(2 * DAY, MINUTE * 60);
  await world.gig('secret', 'subscribe filter 101 budget:>77', 'ben');
  await world.pass(SECOND);
  expect(await world.gig('web', 'audit export 1')).toMatch(/private channels/u);
  await world.gig('web', 'budget 333');
  expect(await world.gig('web', 'audit export 1')).toMatch(/private channels/u);
  const { text } = newestFile();
  expect(text).toContain('333');
  expect(text).not.toContain('budget:>77');
  expect(text).not.toContain('-wordpress');
});

it('is for admins, and an admin of one channel gets that channel', async () => {
  await world.gig('data', 'subscribe filter 101 budget:>500');
  expect(await world.gig('web', 'audit export', 'ben')).not.toMatch(/sent you/iu);
  expect(world.slack.files()).toEqual([]);
  await world.gig('web', 'access');
  await world.pass(SECOND);
  const view = world.slack.view('ada') ?? expect.fail('no window');
  const block = view.blocks.find((it) => it.block_id.startsWith('admins')) ?? expect.fail('no field');
  await world.slack.submitView({ user: 'ada', values: { [block.block_id]: [world.slack.user('cem').id] } });
  await world.pass(2 * SECOND);
  await world.gig('web', 'audit export', 'cem');
  expect(world.slack.directMessages('cem').length).toBe(1);
  expect(newestFile().text).toContain('-wordpress');
  expect(newestFile().text).not.toContain('budget:>500');
});

it('without the permission to send files offers pages instead', async () => {
  world.slack.injectFault('files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' }, 5);
  const answer = await world.gig('web', 'audit export 30');
  expect(answer).toContain('files:write');
  const message = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no answer');
  const found = findPressable(message, 'Show Pages') ?? expect.fail('no button');
  if (found.kind !== 'button') return expect.fail('no button');
  await world.slack.press({
    user: 'ada',
    message,
    actionId: found.actionId,
    blockId: found.blockId,
    value: found.value,
  });
  await world.pass(SECOND);
  expect(world.slack.ephemerals('ada', 'web').map(wordsOf).join()).toContain('-wordpress');
});

it('says so when Slack does not name the channels, and when there is nothing', async () => {
  expect(await world.gig('web', 'audit export no')).toMatch(/valid number of days/iu);
  world.slack.injectFault('files.completeUploadExternal', { kind: 'error', error: 'not_in_channel' }, 5);
  expect(await world.gig('web', 'audit export')).not.toMatch(/sent you/iu);
  await world.pass(8 * DAY, MINUTE * 60);
  expect(await world.gig('web', 'audit export')).toMatch(/no changes/iu);
  expect(TeamId.parse(world.slack.team.id)).toBeTruthy();
});
