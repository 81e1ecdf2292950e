import { beforeEach, describe, expect, it } from 'vitest';
import type { AccessRequest } from '../../../src/access/access.ts';
import { ChannelId, UserId } from '../../../src/ids.ts';
import {
  ACCESS_OUT_OF_DATE,
  ACCESS_REQUEST_GONE,
  accessRequestMessage,
  alreadyHasAccessMessage,
} from '../../../src/slack/access/access.ts';
import { accessActions, accessCommand } from '../../../src/slack/access/access-command.ts';
import { accessModalMetadataCodec, accessScopeChoices } from '../../../src/slack/access/access-modal.ts';
import { notAllowedMessage, unknownButtonMessage } from '../../../src/slack/core/request-errors.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { actsOf } from '../../audit/entries.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { ANA, CHANNEL, TEAM } from '../samples.ts';
import { type AccessDesk, BOSS, DM, startAccessDesk } from './access-desk.ts';

const EVE = UserId.parse('U0EVE');
const OTHER = ChannelId.parse('C0OTHER');
let desk: AccessDesk;
beforeEach(() => {
  desk = startAccessDesk();
});

function routeOf(id: string) {
  return accessActions.find((each) => each.id === id) ?? expect.fail(`no action ${id}`);
}

type By = Parameters<AccessDesk['press']>[1];
const press = (id: string, value: string, by?: By) => routeOf(id).run(desk.press(value, by));

async function ask(user = ANA, channel = CHANNEL): Promise<AccessRequest> {
  return (await desk.services.access.requestRole({ user, channel, role: 'bidder' })).request;
}

async function decisionOf(id: string) {
  return (await desk.services.access.readAccessRequest(id))?.decided;
}

describe('a refusal', () => {
  const member = { user: ANA, role: 'viewer' } as const;

  it('offers to ask for the role that is missing', () => {
    for (const needs of ['bidder', 'admin'] as const) {
      const message = notAllowedMessage(member, needs);
      expect(JSON.stringify(message.blocks)).toContain(`"action_id":"${actionIds.accessAsk}"`);
      expect(JSON.stringify(message.blocks)).toContain(`"value":"${needs}"`);
      expectHarmless(message);
    }
    expect(notAllowedMessage({ ...member, role: 'bidder' }, 'admin').blocks).toBeDefined();
  });

  it('offers nothing to guests and strangers, and to nobody whose role is not certain', () => {
    expect(notAllowedMessage({ ...member, role: 'outsider' }, 'bidder').blocks).toBeUndefined();
    expect(notAllowedMessage({ ...member, unsure: true }, 'bidder').blocks).toBeUndefined();
    expect(notAllowedMessage(member, 'admin', { mayAsk: false }).blocks).toBeUndefined();
  });
});

describe('Request Access', () => {
  it('asks, and the refusal becomes the answer', async () => {
    await press(actionIds.accessAsk, 'bidder');
    expect(desk.shown.map(({ to }) => to)).toEqual(['replaced']);
    const asked = desk.last().text;
    expect(asked).toContain('<#C0WEB>');
    await press(actionIds.accessAsk, 'bidder');
    expect(desk.last().text).not.toBe(asked);
    expect([asked, desk.last().text]).toMatchSnapshot();
  });

  it('says when there is nobody to ask', async () => {
    await press(actionIds.accessAsk, 'bidder', { channel: DM });
    expect(desk.last().text).toContain('`/gig access`');
    expect(desk.last().text).toMatchSnapshot();
  });

  it('asks for nothing that the person has by now', async () => {
    await press(actionIds.accessAsk, 'bidder', { role: 'admin' });
    expect(desk.last()).toEqual(alreadyHasAccessMessage('bidder'));
    expect(await actsOf(desk.services.store, TEAM)).toEqual([]);
  });

  it.each(['', 'owner', 'viewer', 'outsider', '{"role":"admin"}'])('for %j asks nothing', async (value) => {
    await press(actionIds.accessAsk, value);
    expect(desk.last()).toEqual(unknownButtonMessage());
  });

  it('is for full members alone', () => {
    expect(routeOf(actionIds.accessAsk).needs).toBe('viewer');
  });
});

describe('Grant and Decline', () => {
  it('are decided by the role in the channel of the request, also from a direct message', async () => {
    const { id } = await ask();
    desk.give(BOSS, 'admin', CHANNEL);
    await press(actionIds.accessGrant, id, { user: BOSS, channel: DM });
    expect(desk.shown).toEqual([]);
    expect(await decisionOf(id)).toMatchObject({ by: BOSS, granted: true });
    expect(await desk.services.access.readAccessList(CHANNEL)).toMatchObject({ bidder: { users: [ANA] } });
  });

  it.each(['viewer', 'bidder', 'outsider'] as const)('are refused to a %s of that channel', async (role) => {
    const { id } = await ask();
    desk.give(BOSS, role, CHANNEL);
    desk.give(BOSS, 'admin', OTHER);
    for (const action of [actionIds.accessGrant, actionIds.accessDecline])
      await press(action, id, { user: BOSS, role: 'admin', channel: OTHER });
    expect(desk.last().text).toContain(':lock:');
    expect(desk.last().blocks).toBeUndefined();
    expect(await decisionOf(id)).toBeUndefined();
  });

  it('of one’s own request are refused to whoever is no admin', async () => {
    const { id } = await ask();
    desk.give(ANA, 'bidder', CHANNEL);
    await press(actionIds.accessGrant, id, { role: 'bidder' });
    expect(await decisionOf(id)).toBeUndefined();
  });

  it('of what was asked in a direct message are for admins of everywhere', async () => {
    const { id } = await ask(ANA, DM);
    desk.give(BOSS, 'admin', CHANNEL);
    await press(actionIds.accessGrant, id, { user: BOSS, role: 'admin' });
    expect(await decisionOf(id)).toBeUndefined();
    desk.give(BOSS, 'admin', DM);
    await press(actionIds.accessDecline, id, { user: BOSS });
    expect(await decisionOf(id)).toMatchObject({ granted: false });
  });

  it('tell the second who was first', async () => {
    const { id } = await ask();
    desk.give(BOSS, 'admin', CHANNEL);
    desk.give(EVE, 'admin', CHANNEL);
    await press(actionIds.accessDecline, id, { user: EVE });
    await press(actionIds.accessGrant, id, { user: BOSS });
    expect(desk.last().text).toContain('<@U0EVE>');
    expect(desk.last().text).toMatchSnapshot();
    expect(await desk.services.access.readAccessList(CHANNEL)).toMatchObject({ revision: 0 });
  });

  it.each(['', 'nope', '__proto__', 'x'.repeat(2_000)])('of %j find no request', async (value) => {
    await press(actionIds.accessGrant, value, { user: BOSS, role: 'admin' });
    expect(desk.last()).toEqual(ACCESS_REQUEST_GONE);
  });
});

describe('the post of a request', () => {
  it('has both buttons until it is decided, and then says by whom', async () => {
    const request = await ask(EVE);
    const open = accessRequestMessage(request);
    expectHarmless(open);
    expect(open.text).toContain('<@U0EVE>');
    expect(JSON.stringify(open.blocks)).toContain(`"value":"${request.id}"`);
    desk.give(BOSS, 'admin', CHANNEL);
    await press(actionIds.accessGrant, request.id, { user: BOSS });
    const decided = await desk.services.access.readAccessRequest(request.id);
    const message = accessRequestMessage(decided ?? request);
    for (const named of ['<@U0BEN>', '<@U0EVE>', '<#C0WEB>']) expect(message.text).toContain(named);
    expect(JSON.stringify(message.blocks)).not.toContain('action_id');
    const asked = await ask(EVE, DM);
    const declined = { ...asked, decided: { by: BOSS, at: 1, granted: false } };
    const granted = { ...declined, decided: { by: BOSS, at: 1, granted: true } };
    expect(accessRequestMessage(declined).text).toContain('<@U0EVE>');
    expect(accessRequestMessage(declined, EVE).text).not.toContain('<@U0EVE>');
    const messages = [
      open,
      message,
      accessRequestMessage(asked),
      accessRequestMessage(declined),
      accessRequestMessage(declined, EVE),
      accessRequestMessage(granted, EVE),
    ];
    expect(messages.map(asText).join('\n')).toMatchSnapshot();
  });
});

describe('the menu of the access modal', () => {
  beforeEach(async () => {
    desk.give(ANA, 'admin');
    await desk.set('everywhere', { bidder: { users: [EVE], groups: [] } });
    await accessCommand.run(desk.command('', ANA, 'admin'));
  });

  const scopeShown = () => accessModalMetadataCodec.read(desk.pressed({}).privateMetadata)?.scope;
  const choose = (value: string, change: object = {}) =>
    press(actionIds.accessScope, value, {
      role: 'admin',
      view: { ...desk.pressed({ bidders: [BOSS] }), ...change },
    });

  it('shows the other list, which inherits nothing of what was chosen for this one', async () => {
    const before = desk.pressed({});
    await choose('everywhere');
    const after = desk.pressed({});
    expect(scopeShown()).toBe('everywhere');
    expect([...after.values.values()]).toEqual([{ users: [EVE] }]);
    for (const block of before.values.keys()) expect(after.values.has(block)).toBe(false);
    await desk.submit(desk.pressed({ bidders: [BOSS] }));
    expect(await desk.services.access.readAccessList('everywhere')).toMatchObject({ revision: 1 });
    desk.give(ANA, 'admin', CHANNEL);
    await desk.submit(desk.pressed({ bidders: [BOSS] }));
    expect(await desk.services.access.readAccessList('everywhere')).toMatchObject({
      bidder: { users: [BOSS] },
    });
    await choose('here');
    expect(scopeShown()).toBe(CHANNEL);
    expect(JSON.stringify(desk.views.at(-1))).toContain('<#C0WEB>');
  });

  it('shows the list of everywhere only to its admins', async () => {
    desk.give(ANA, 'viewer');
    const before = desk.views.length;
    await choose('everywhere');
    expect(desk.views).toHaveLength(before);
    expect(desk.last()).toEqual(notAllowedMessage({ user: ANA, role: 'viewer' }, 'admin', { mayAsk: false }));
    await choose('here');
    expect(JSON.stringify(desk.views.at(-1))).not.toContain(`"value":"${accessScopeChoices.everywhere}"`);
  });

  it('belongs to the channel that the view names, where the role is looked up', async () => {
    const route = routeOf(actionIds.accessScope);
    const at = (privateMetadata: string) =>
      route.findChannel?.({
        user: ANA,
        services: desk.services,
        value: '',
        view: { ...desk.pressed({}), privateMetadata },
      });
    expect(await at(desk.pressed({}).privateMetadata)).toBe(CHANNEL);
    expect(await at('nonsense')).toBeUndefined();
  });

  it('that is out of date says so', async () => {
    for (const change of [{ privateMetadata: '{}' }, {}]) {
      await choose(change.privateMetadata ? 'here' : 'nowhere', change);
      expect(desk.last().text).toBe(ACCESS_OUT_OF_DATE);
    }
  });
});
