/** What every press on a Home goes through: the record that it names, the person's place and role there, and the Home drawn anew. */
import { mayAct, type Role } from '../../access/roles.ts';
import type { ChannelId } from '../../ids.ts';
import { viewIds } from '../blocks/ids.ts';
import { isIn } from '../home/places.ts';
import { showAfterPress } from '../home/show-home.ts';
import { notAllowedMessage } from '../messages/boundary-answers.ts';
import { HOME_OUTDATED, NOT_IN_CHANNEL, PLACE_UNSURE } from '../messages/home-answers.ts';
import { waitingMessage } from '../messages/waiting.ts';
import { tellWaiting } from '../patience.ts';
import type { ActionCall, ActionRoute, PressPlace } from '../routes.ts';
import { isDirect } from '../views/home-facts.ts';
import { describeFailure } from './bid-show.ts';
import { tellChannel } from './tell-channel.ts';

export interface HomePress<T> {
  readonly id: string;
  readonly needs: Role;
  /** What the button carries; undefined for what no button of ours does. */
  readonly read: (value: string) => T | undefined;
  /** Where it belongs, by our own records; undefined: they know nothing of it (any more). Missing: it belongs to no channel. */
  readonly place?: (named: T, press: Pick<PressPlace, 'services' | 'user'>) => Promise<ChannelId | undefined>;
  /** It waits for the marketplace, and does something there: what the person is told after 2 s. Harmless mrkdwn. */
  readonly asked?: string;
  /** What is answered to the person stands at the top of their Home. @returns whether the Home is to be drawn anew */
  readonly run: (call: ActionCall, named: T) => Promise<'drawn' | 'left'>;
}

/** Why the person may not do it here and now; undefined: they may. */
async function refusalOf(
  { services, person }: ActionCall,
  needs: Role,
  channel: ChannelId | undefined,
): Promise<string | undefined> {
  if (!mayAct(person.role, needs)) return notAllowedMessage(person, needs).text;
  // In a conversation with Gigdesk there is nobody to be one of: the role everywhere decides alone.
  if (channel === undefined || isDirect(channel)) return undefined;
  const place = await isIn(services, person.user, channel);
  if (place === 'in') return undefined;
  return place === 'out' ? NOT_IN_CHANNEL : PLACE_UNSURE;
}

/** The route of a press on a Home. Its role is decided here, where the refusal can stand on the Home. */
export function homeAction<T>({ id, needs, read, place, asked, run }: HomePress<T>): ActionRoute {
  async function find(press: Pick<PressPlace, 'services' | 'user' | 'value'>) {
    const named = read(press.value);
    if (named === undefined) return undefined;
    const channel = place && (await place(named, press));
    return place && channel === undefined ? undefined : { named, channel };
  }

  async function attend(
    call: ActionCall,
  ): Promise<{ readonly notice?: string; readonly end: 'drawn' | 'left' }> {
    const { services, person, value } = call;
    const found = await find({ services, user: person.user, value });
    if (!found) return { notice: HOME_OUTDATED, end: 'drawn' };
    const refusal = await refusalOf(call, needs, found.channel);
    if (refusal !== undefined) return { notice: refusal, end: 'drawn' };
    let notice: string | undefined;
    const told: ActionCall = {
      ...call,
      ...(found.channel === undefined ? {} : { channel: found.channel }),
      async answer(message, to) {
        if (to === 'channel')
          await tellChannel({ services, channel: found.channel ?? call.channel }, message);
        else notice = message.text;
      },
    };
    const carryOut = () => run(told, found.named);
    const showWaiting = (what: string) =>
      showAfterPress(services, person.user, waitingMessage(what, true).text);
    const end = await (asked === undefined
      ? carryOut()
      : tellWaiting(services, person.user, () => showWaiting(asked), carryOut));
    return { end: notice === undefined ? end : 'drawn', ...(notice === undefined ? {} : { notice }) };
  }

  return {
    id,
    needs: 'outsider',
    place: async (press) => (await find(press))?.channel,
    async run(call) {
      const { services, person, view } = call;
      // Such a button stands on Homes alone.
      if (view?.callbackId !== viewIds.home) return call.answer({ text: HOME_OUTDATED });
      let done: Awaited<ReturnType<typeof attend>>;
      try {
        done = await attend(call);
      } catch (thrown) {
        const failure = describeFailure(services, 'could not handle a button press on a Home tab', thrown);
        done = { notice: failure.text, end: 'drawn' };
      }
      if (done.end === 'drawn') await showAfterPress(services, person.user, done.notice);
    },
  };
}
