import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import type { ActionCall, CommandCall, Message } from '../../../src/slack/core/routes.ts';
import {
  addRequestHeading,
  commandRequestLabel,
  slowReplyMessage,
} from '../../../src/slack/core/slow-reply.ts';
import { sectionBlock } from '../../../src/slack/kit/block-builders.ts';
import { findMessageLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { hostileText } from '../arbitraries.ts';
import { turn } from '../delivery/delivery-world.ts';
import { expectHarmless } from '../harmless.ts';
import { BoundaryWorld } from './boundary-world.ts';

const LOOKING = slowReplyMessage(commandRequestLabel('results', '<b>')).text;

let world: BoundaryWorld;
/** The marketplace has answered. */
let arrive: (answer: Message | Error, to?: 'channel') => Promise<void>;
beforeEach(() => {
  world = new BoundaryWorld();
  world.work = async (call) => {
    const [message, to] = await new Promise<[Message, 'channel' | undefined]>((resolve, reject) => {
      arrive = async (answer, where) => {
        if (answer instanceof Error) reject(answer);
        else resolve([answer, where]);
        await turn();
      };
    });
    await (call as CommandCall).answer(message, to);
  };
});

async function wait(ms: number): Promise<void> {
  world.clock.moveBy(ms);
  await turn();
}

describe('an answer that takes long', () => {
  it('is announced after two seconds, to the person alone, with what was asked', async () => {
    await world.command('results &lt;b&gt;');
    await wait(2 * SECOND - 1);
    expect(world.texts).toEqual([]);
    await wait(1);
    await wait(60 * SECOND);
    expect(world.answers.map((it) => it.body)).toEqual([
      { text: LOOKING, replace_original: false, response_type: 'ephemeral' },
    ]);
  });

  it('says what it answers when it comes', async () => {
    await world.command('results &lt;b&gt;');
    await wait(9 * SECOND);
    await arrive({ text: 'three', blocks: [sectionBlock('*three*')] });
    const [opening = ''] = addRequestHeading('`/gig results &lt;b&gt;`', { text: 'any' }).text.split('\n');
    expect(opening).toContain('`/gig results &lt;b&gt;`');
    expect(opening).toMatchSnapshot();
    expect(world.answers.at(-1)?.body).toMatchObject({
      text: `${opening}\nthree`,
      response_type: 'ephemeral',
      blocks: [{ type: 'context', elements: [{ text: opening }] }, { text: { text: '*three*' } }],
    });
  });

  it('says so of a failure, too', async () => {
    await world.command('results &lt;b&gt;');
    await wait(9 * SECOND);
    const error = new MarketplaceError('server', 'none', 'fault');
    await arrive(error);
    const ref = /ref (\w{5})/u.exec(world.texts.at(-1) ?? '')?.[1] ?? expect.fail('no reference');
    const failure = failureMessage(error, ref, world.clock.now());
    expect(world.texts.at(-1)).toBe(addRequestHeading('`/gig results &lt;b&gt;`', failure).text);
  });

  it('stays as it is where it is for everyone', async () => {
    await world.command('results x');
    await wait(9 * SECOND);
    await arrive({ text: 'for all' }, 'channel');
    expect(world.answers.at(-1)?.body).toEqual({
      text: 'for all',
      replace_original: false,
      response_type: 'in_channel',
    });
  });

  it('comes even where the announcement could not be told, behind it', async () => {
    world.responseStatus = 500;
    await world.command('results x');
    await wait(2 * SECOND);
    await arrive({ text: 'three' });
    expect(world.answers.map(({ via }) => via)).toEqual(['ephemeral', 'ephemeral']);
    expect(world.texts.at(-1)).toContain('three');
  });

  it('is announced to whoever pressed what waits for the marketplace', async () => {
    await world.press('slow');
    await wait(2 * SECOND);
    expect(world.texts).toEqual([slowReplyMessage('“Slow”').text]);
    expect(world.texts).toMatchSnapshot();
  });

  it('of a press that does something is not called a lookup', async () => {
    await world.press('act');
    await wait(2 * SECOND);
    expect(world.texts).toEqual([slowReplyMessage('“Act”', true).text]);
    expect(world.texts).not.toEqual([slowReplyMessage('“Act”').text]);
    expect(world.texts).toMatchSnapshot();
  });

  it('is not announced to whoever sees it in the view that they pressed', async () => {
    await world.press('act', { view: { id: 'V1', hash: 'h', callback_id: 'form', private_metadata: '' } });
    expect(world.calls).toHaveLength(1);
    await wait(60 * SECOND);
    expect(world.texts).toEqual([]);
  });

  it('replaces the pressed list if nothing was announced, or else follows the announcement', async () => {
    let arrives: () => void = () => undefined;
    world.work = async (call) => {
      await new Promise<void>((resolve) => {
        arrives = resolve;
      });
      await (call as ActionCall).replace({ text: 'page 2' });
    };
    const onList = { container: { type: 'message', is_ephemeral: true }, message: undefined };
    await world.press('slow', onList);
    arrives();
    await turn();
    expect(world.answers.at(-1)?.body).toMatchObject({ text: 'page 2', replace_original: true });
    await wait(60 * SECOND);
    expect(world.texts).toEqual(['page 2']);
    await world.press('slow', onList);
    await wait(9 * SECOND);
    arrives();
    await turn();
    expect(world.answers.at(-1)?.body).toMatchObject({
      text: addRequestHeading('“Slow”', { text: 'page 2' }).text,
      replace_original: false,
    });
  });

  it('is announced to whoever took a shortcut', async () => {
    await world.boundary.shortcut(
      {
        type: 'message_action',
        callback_id: 'look',
        team: { id: 'T1' },
        user: { id: 'UVIEWER', team_id: 'T1' },
        channel: { id: 'C1' },
        trigger_id: 'a shortcut',
        response_url: 'https://hooks.example/1',
        message: { ts: '1.5', text: '' },
      },
      world.ack,
    );
    await turn();
    await wait(2 * SECOND);
    expect(world.texts).toEqual([slowReplyMessage('“Look”').text]);
  });
});

describe('an answer that comes at once', () => {
  it('is neither announced nor introduced, also where work goes on behind it', async () => {
    await world.command('results x');
    await arrive({ text: 'three' });
    await wait(60 * SECOND);
    expect(world.texts).toEqual(['three']);
  });

  it('is not expected of what waits for nobody, a form for example', async () => {
    await world.command('lookup x');
    await wait(60 * SECOND);
    expect(world.texts).toEqual([]);
  });
});

describe('the words of waiting', () => {
  it('are harmless, whatever was typed', () => {
    fc.assert(
      fc.property(hostileText, (typed) => {
        const asked = commandRequestLabel('lookup', typed);
        expectHarmless(slowReplyMessage(asked));
        expectHarmless(addRequestHeading(asked, { text: 'answer', blocks: [sectionBlock('answer')] }));
      }),
    );
  });

  it('are left out where the answer has no room for them', () => {
    const full = { text: 'full', blocks: Array.from({ length: 50 }, () => sectionBlock('row')) };
    expect(addRequestHeading('`/gig job 1`', full)).toBe(full);
    const fits = addRequestHeading('`/gig job 1`', { ...full, blocks: full.blocks.slice(1) });
    expect([fits.blocks?.length, findMessageLimitProblems(fits)]).toEqual([50, []]);
  });
});
