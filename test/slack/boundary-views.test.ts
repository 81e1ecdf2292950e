/** A view that is closed, and a press within one. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionCall, ViewPlace } from '../../src/slack/routes.ts';
import { BoundaryWorld, LOCAL } from './boundary-world.ts';

let world: BoundaryWorld;
beforeEach(() => {
  world = new BoundaryWorld();
});

describe('a closed view', () => {
  it('is told to its route without an answer', async () => {
    const closed: ViewPlace[] = [];
    world.closed = async (place) => {
      closed.push(place);
    };
    await world.closeView();
    expect(closed).toMatchObject([{ user: 'UVIEWER', view: { id: 'V1', privateMetadata: 'draft' } }]);
    expect([world.acks, world.texts]).toEqual([1, []]);
  });

  it('of no route, of another workspace, in another shape or with a failing route is acknowledged', async () => {
    world.closed = () => Promise.reject(new Error('broken'));
    await world.closeView();
    await world.closeView({ callback_id: 'open-form' });
    await world.closeView({ callback_id: 'unknown' });
    await world.closeView({ id: 7 });
    await world.closeView({}, { team: { id: 'T2' } });
    expect([world.acks, world.texts, world.boundary.isIdle]).toEqual([5, [], true]);
    expect(world.logged.filter((it) => it.level === 'error')).toHaveLength(1);
  });
});

describe('a press in a view', () => {
  const pressed = {
    message: undefined,
    channel: undefined,
    response_url: undefined,
    user: { id: 'ULOCAL', team_id: 'T1' },
    view: { id: 'V1', hash: 'h', callback_id: 'form', private_metadata: 'C7' },
  };

  it('takes its channel and role from our records, and is answered there', async () => {
    world.place = async ({ user, view }) => (user === 'ULOCAL' && view.id === 'V1' ? LOCAL : undefined);
    world.work = (call) => (call as ActionCall).answer({ text: 'here' });
    await world.press('placed', pressed);
    expect(world.calls[0]).toMatchObject({ channel: 'C7', person: { role: 'bidder' } });
    expect(world.answers).toEqual([{ via: 'ephemeral', channel: 'C7', text: 'here' }]);
  });

  it('of which the records know nothing belongs to no channel, whatever the view says', async () => {
    await world.press('placed', pressed);
    expect(world.calls).toEqual([]);
    expect(world.answers).toMatchObject([{ via: 'post', channel: 'ULOCAL' }]);
    expect(world.texts[0]).toContain('This is for bidders');
  });

  it('whose records can not be read is told', async () => {
    world.place = () => Promise.reject(new Error('broken'));
    await world.press('placed', pressed);
    expect(world.texts[0]).toMatch(/Something went wrong on our side/u);
  });
});
