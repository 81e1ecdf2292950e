/**
 * The steps of every press on a Home tab: finds the named record, checks place and role, and redraws the tab.
 */
import { hasRoleAtLeast, type Role } from '../../access/access.ts';
import { type ChannelId, isDirectMessage } from '../../ids.ts';
import { logAndDescribeFailure, postResultToChannel } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, ViewButtonPress } from '../core/routes.ts';
import { slowReplyMessage, withSlowNotice } from '../core/slow-reply.ts';
import { findMembershipRefusal } from '../core/user-channels.ts';
import { viewIds } from '../kit/ids.ts';
import { publishHomeAfterPress } from './show-home.ts';

interface HomeActionOptions<T> {
  readonly id: string;
  readonly needs: Role;
  /** Parses the button's value; undefined for a value that isn't ours. */
  readonly parseValue: (value: string) => T | undefined;
  /** The channel, from our own records; undefined: no record (anymore). Missing: it belongs to no channel. */
  readonly findChannel?: (
    named: T,
    press: Pick<ViewButtonPress, 'services' | 'user'>,
  ) => Promise<ChannelId | undefined>;
  /** It waits for the marketplace and changes something: what the notice after 2 s says. Safe mrkdwn. */
  readonly pendingLabel?: string;
  /** The tab is redrawn after a failure and for a reply, which shows at its top; with this, always. */
  readonly redraws?: boolean;
  readonly run: (call: ActionCall, named: T) => Promise<void>;
}

/** Why the person may not do it here and now; undefined: they may. */
async function refusalOf({ services, person }: ActionCall, needs: Role, channel: ChannelId | undefined) {
  if (!hasRoleAtLeast(person.role, needs)) return notAllowedMessage(person, needs).text;
  // Direct messages with Gigdesk have no members: only the role everywhere decides.
  if (channel === undefined || isDirectMessage(channel)) return undefined;
  return findMembershipRefusal(services, person.user, channel);
}

/** The route of a press on a Home tab. Checks the role itself, to show a denial on the tab. */
export function createHomeAction<T>(options: HomeActionOptions<T>): ActionRoute {
  const { id, needs, parseValue, findChannel, pendingLabel, redraws, run } = options;

  async function find(press: Pick<ViewButtonPress, 'services' | 'user' | 'value'>) {
    const named = parseValue(press.value);
    if (named === undefined) return undefined;
    const channel = findChannel && (await findChannel(named, press));
    return findChannel && channel === undefined ? undefined : { named, channel };
  }

  /** @returns what the tab says about it, if anything */
  async function attend(call: ActionCall): Promise<string | undefined> {
    const { services, person, value } = call;
    const found = await find({ services, user: person.user, value });
    if (!found) return HOME_ITEM_OUTDATED_NOTICE;
    const refusal = await refusalOf(call, needs, found.channel);
    if (refusal !== undefined) return refusal;
    let notice: string | undefined;
    const channel = found.channel ?? call.channel;
    const channelCall: ActionCall = {
      ...call,
      channel,
      async answer(message, to) {
        if (to === 'channel') await postResultToChannel({ services, channel }, message);
        else notice = message.text;
      },
    };
    const carryOut = () => run(channelCall, found.named);
    const showWaiting = (what: string) =>
      publishHomeAfterPress(services, person.user, slowReplyMessage(what, true).text);
    await (pendingLabel === undefined
      ? carryOut()
      : withSlowNotice(services, person.user, () => showWaiting(pendingLabel), carryOut));
    return notice;
  }

  return {
    id,
    needs: 'outsider',
    findChannel: async (press) => (await find(press))?.channel,
    async run(call) {
      const { services, person, view } = call;
      // Such buttons exist only on Home tabs.
      if (view?.callbackId !== viewIds.home) return call.answer({ text: HOME_ITEM_OUTDATED_NOTICE });
      let notice: string | undefined;
      try {
        notice = await attend(call);
      } catch (thrown) {
        const failed = 'could not handle a button press on a Home tab';
        notice = logAndDescribeFailure(services, failed, thrown).text;
      }
      if (redraws || notice !== undefined) await publishHomeAfterPress(services, person.user, notice);
    },
  };
}

/** The record is gone, or never existed. */
export const HOME_ITEM_OUTDATED_NOTICE =
  ':information_source: This item changed in the meantime, so nothing was done. Here is the latest.';
