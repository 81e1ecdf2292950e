/** What every press on a Home goes through: the record that it names, the person's place and role there, and the Home drawn anew. */
import { hasRoleAtLeast, type Role } from '../../access/roles.ts';
import type { ChannelId } from '../../ids.ts';
import { viewIds } from '../blocks/ids.ts';
import { publishHomeAfterPress } from '../home/show-home.ts';
import { checkChannelMembership } from '../home/user-channels.ts';
import { CHANNEL_MEMBERSHIP_UNKNOWN, HOME_OUTDATED, NOT_IN_CHANNEL } from '../messages/home-answers.ts';
import { notAllowedMessage } from '../messages/request-errors.ts';
import { slowReplyMessage } from '../messages/slow-reply.ts';
import type { ActionCall, ActionRoute, ViewButtonPress } from '../routes.ts';
import { withSlowNotice } from '../slow-reply-notice.ts';
import { isDirect } from '../views/home-facts.ts';
import { logAndDescribeFailure } from './bid-show.ts';
import { postResultToChannel } from './post-result-to-channel.ts';

export interface HomeActionOptions<T> {
  readonly id: string;
  readonly needs: Role;
  /** What the button carries; undefined for what no button of ours does. */
  readonly parseValue: (value: string) => T | undefined;
  /** Where it belongs, by our own records; undefined: they know nothing of it (any more). Missing: it belongs to no channel. */
  readonly findChannel?: (
    named: T,
    press: Pick<ViewButtonPress, 'services' | 'user'>,
  ) => Promise<ChannelId | undefined>;
  /** It waits for the marketplace, and does something there: what the person is told after 2 s. Harmless mrkdwn. */
  readonly pendingLabel?: string;
  /** What is answered to the person stands at the top of their Home. @returns whether the Home is to be drawn anew */
  readonly run: (call: ActionCall, named: T) => Promise<'drawn' | 'left'>;
}

/** Why the person may not do it here and now; undefined: they may. */
async function refusalOf(
  { services, person }: ActionCall,
  needs: Role,
  channel: ChannelId | undefined,
): Promise<string | undefined> {
  if (!hasRoleAtLeast(person.role, needs)) return notAllowedMessage(person, needs).text;
  // In a conversation with Gigdesk there is nobody to be one of: the role everywhere decides alone.
  if (channel === undefined || isDirect(channel)) return undefined;
  const place = await checkChannelMembership(services, person.user, channel);
  if (place === 'in') return undefined;
  return place === 'out' ? NOT_IN_CHANNEL : CHANNEL_MEMBERSHIP_UNKNOWN;
}

/** The route of a press on a Home. Its role is decided here, where the refusal can stand on the Home. */
export function createHomeAction<T>({
  id,
  needs,
  parseValue,
  findChannel,
  pendingLabel,
  run,
}: HomeActionOptions<T>): ActionRoute {
  async function find(press: Pick<ViewButtonPress, 'services' | 'user' | 'value'>) {
    const named = parseValue(press.value);
    if (named === undefined) return undefined;
    const channel = findChannel && (await findChannel(named, press));
    return findChannel && channel === undefined ? undefined : { named, channel };
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
          await postResultToChannel({ services, channel: found.channel ?? call.channel }, message);
        else notice = message.text;
      },
    };
    const carryOut = () => run(told, found.named);
    const showWaiting = (what: string) =>
      publishHomeAfterPress(services, person.user, slowReplyMessage(what, true).text);
    const end = await (pendingLabel === undefined
      ? carryOut()
      : withSlowNotice(services, person.user, () => showWaiting(pendingLabel), carryOut));
    return { end: notice === undefined ? end : 'drawn', ...(notice === undefined ? {} : { notice }) };
  }

  return {
    id,
    needs: 'outsider',
    findChannel: async (press) => (await find(press))?.channel,
    async run(call) {
      const { services, person, view } = call;
      // Such a button stands on Homes alone.
      if (view?.callbackId !== viewIds.home) return call.answer({ text: HOME_OUTDATED });
      let done: Awaited<ReturnType<typeof attend>>;
      try {
        done = await attend(call);
      } catch (thrown) {
        const failure = logAndDescribeFailure(
          services,
          'could not handle a button press on a Home tab',
          thrown,
        );
        done = { notice: failure.text, end: 'drawn' };
      }
      if (done.end === 'drawn') await publishHomeAfterPress(services, person.user, done.notice);
    },
  };
}
