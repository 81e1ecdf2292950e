/** Typing into an external select: the app gets a request for options. */
import { optionGroupsRule, optionRule } from '../blocks/composition.ts';
import { BLOCK_LIMITS } from '../blocks/limits.ts';
import { createRootLocation, listRule } from '../blocks/rules.ts';
import { objectOrEmpty, objectsInList, stringOrUndefined } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import type { UserActionTarget } from '../simulated-slack.ts';
import { SlackApiError } from '../web/slack-api-error.ts';
import { findElement, interactionOriginPayload, resolveActionSurface, updateInputState } from './surface.ts';
import {
  baseInteractionPayload,
  logRefusedAnswer,
  sendRequestToApp,
  type UserActionContext,
} from './user-action-context.ts';

type Given = UserActionTarget & {
  readonly user: string;
  readonly actionId: string;
  readonly blockId?: string;
  readonly query: string;
  readonly force?: boolean;
};

const MIN_QUERY_LENGTH = 3;
/** Per menu; more than a person looks through. */
const MOST_KEPT = 2_000;

function optionProblems(body: unknown): readonly string[] {
  const problems: string[] = [];
  const { options, option_groups: groups } = objectOrEmpty(body);
  if (groups !== undefined) optionGroupsRule(groups, createRootLocation('/option_groups', problems));
  else
    listRule(optionRule(), BLOCK_LIMITS.selectOptions, 0)(options, createRootLocation('/options', problems));
  return problems;
}

/** Keeps earlier suggestions: a person may have chosen one before the current ones. */
function keepOffered({ offered }: UserActionContext, key: string, latest: readonly JsonObject[]): void {
  const values = new Set(latest.map((each) => each['value']));
  const before = (offered.get(key) ?? []).filter((each) => !values.has(each['value']));
  offered.set(key, [...latest, ...before].slice(0, MOST_KEPT));
}

/** The app's options. @throws Error when there are none, or they exceed Slack's limits */
export async function requestSuggestions(
  desk: UserActionContext,
  given: Given,
): Promise<readonly { text: string; value: string }[]> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const surface = resolveActionSurface(site, given, user);
  const type = 'external_select';
  const { block, element } = findElement(surface, { ...given, type });
  if (given.query.length < Number(element['min_query_length'] ?? MIN_QUERY_LENGTH)) return [];
  const { fields } = interactionOriginPayload(site, surface, user, updateInputState(desk, surface, user, {}));
  const { response_url: _none, ...where } = fields;
  const { trigger_id: _neither, ...base } = baseInteractionPayload(site, 'block_suggestion', user, '');
  const payload = {
    ...base,
    ...where,
    action_id: given.actionId,
    block_id: block?.block_id ?? 'forged',
    value: given.query,
  };
  const answer = await sendRequestToApp(desk, 'interactive', payload, '', undefined);
  if (!answer.acked)
    throw new Error(`couldn't load options for "${given.actionId}": ${String(answer.failure)}`);
  const problems = optionProblems(answer.body);
  if (problems.length > 0) {
    logRefusedAnswer(
      site,
      'block_suggestion',
      objectOrEmpty(answer.body),
      new SlackApiError('invalid_options', {}, problems),
    );
    throw new Error(`invalid options for "${given.actionId}": ${problems.join('; ')}`);
  }
  const { options, option_groups: groups } = objectOrEmpty(answer.body);
  const offered = [
    ...objectsInList(options),
    ...objectsInList(groups).flatMap((each) => objectsInList(each['options'])),
  ];
  keepOffered(desk, `${user.id}/${given.actionId}`, offered);
  return offered.map((each) => ({
    text: stringOrUndefined(objectOrEmpty(each['text'])['text']) ?? '',
    value: stringOrUndefined(each['value']) ?? '',
  }));
}
