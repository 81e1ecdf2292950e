/** A channel's response times in words, for people who can't change them. */
import { readChannelSettings } from '../../feed/channels.ts';
import { resolveTimezone } from '../../feed/quiet-hours.ts';
import type { ChannelId } from '../../ids.ts';
import type { ResponsePlan } from '../../response/response.ts';
import { localTime } from '../../schedule/local-time.ts';
import type { Services } from '../core/routes.ts';
import { readGroupNames } from '../core/user-groups.ts';
import type { UserGroupNames } from '../kit/words/labels.ts';
import { type DutyFacts, responseRulesText } from './response-text.ts';

function listGroups({ duty, lead }: ResponsePlan): readonly string[] {
  return [duty, lead].flatMap((each) => (each.kind === 'group' ? [each.group] : []));
}

/** 1 is Monday. */
async function readWeekday({ store, team, clock, timezone }: Services, channel: ChannelId): Promise<number> {
  const settings = await store.read((tx) => readChannelSettings(tx, team, channel));
  return localTime(clock.now(), resolveTimezone(settings, timezone)).weekday;
}

/** Asks Slack for the names of user groups, if there are any. */
export async function gatherDutyFacts(
  services: Services,
  channel: ChannelId,
  plan: ResponsePlan,
): Promise<DutyFacts> {
  const weekday = await readWeekday(services, channel);
  return { weekday, groupNames: await readGroupNames(services, listGroups(plan)) };
}

interface ResponseRules {
  /** User groups that the text names. */
  readonly groups: readonly string[];
  /** mrkdwn. */
  readonly text: (groupNames: UserGroupNames) => string;
}

export async function readResponseRules(services: Services, channel: ChannelId): Promise<ResponseRules> {
  const plan = await services.response.readSettings(channel);
  if (!plan?.isOn) return { groups: [], text: () => '• Targets and nudges: off' };
  const weekday = await readWeekday(services, channel);
  return {
    groups: listGroups(plan),
    text: (groupNames) => responseRulesText(plan, { weekday, groupNames }),
  };
}
