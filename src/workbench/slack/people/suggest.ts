/** Typing into an external select: the app is asked what to offer. */
import { option, optionGroups } from '../blocks/composition.ts';
import { BLOCK_LIMITS } from '../blocks/limits.ts';
import { list, startAt } from '../blocks/rules.ts';
import type { Json } from '../objects.ts';
import { objectOf, objectsOf, textOf } from '../reading.ts';
import type { On } from '../simulated-slack.ts';
import { Refusal } from '../web/refusal.ts';
import { type Desk, interactionBase, logRefused, sendToApp } from './desk.ts';
import { fillIn, findElement, surfaceOf, whereabouts } from './surface.ts';

type Given = On & {
  readonly user: string;
  readonly actionId: string;
  readonly blockId?: string;
  readonly query: string;
  readonly force?: boolean;
};

const MIN_QUERY_LENGTH = 3;
/** Of each menu; more than anybody looks through. */
const MOST_KEPT = 2_000;

function optionProblems(body: unknown): readonly string[] {
  const problems: string[] = [];
  const { options, option_groups: groups } = objectOf(body);
  if (groups !== undefined) optionGroups(groups, startAt('/option_groups', problems));
  else list(option(), BLOCK_LIMITS.selectOptions, 0)(options, startAt('/options', problems));
  return problems;
}

/** What was offered before can have been chosen, and is sent although something else is offered now. */
function keepOffered({ offered }: Desk, key: string, latest: readonly Json[]): void {
  const values = new Set(latest.map((each) => each['value']));
  const before = (offered.get(key) ?? []).filter((each) => !values.has(each['value']));
  offered.set(key, [...latest, ...before].slice(0, MOST_KEPT));
}

/** The options that are offered. @throws Error when none came, or they break Slack's limits */
export async function suggest(desk: Desk, given: Given): Promise<readonly { text: string; value: string }[]> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const surface = surfaceOf(site, given, user);
  const type = 'external_select';
  const { block, element } = findElement(surface, { ...given, type });
  if (given.query.length < Number(element['min_query_length'] ?? MIN_QUERY_LENGTH)) return [];
  const { fields } = whereabouts(site, surface, user, fillIn(desk, surface, user, {}));
  const { response_url: _none, ...where } = fields;
  const { trigger_id: _neither, ...base } = interactionBase(site, 'block_suggestion', user, '');
  const payload = {
    ...base,
    ...where,
    action_id: given.actionId,
    block_id: block?.block_id ?? 'forged',
    value: given.query,
  };
  const answer = await sendToApp(desk, 'interactive', payload, '', undefined);
  if (!answer.acked)
    throw new Error(`couldn't load options for "${given.actionId}": ${String(answer.failure)}`);
  const problems = optionProblems(answer.body);
  if (problems.length > 0) {
    logRefused(site, 'block_suggestion', objectOf(answer.body), new Refusal('invalid_options', {}, problems));
    throw new Error(`invalid options for "${given.actionId}": ${problems.join('; ')}`);
  }
  const { options, option_groups: groups } = objectOf(answer.body);
  const offered = [...objectsOf(options), ...objectsOf(groups).flatMap((each) => objectsOf(each['options']))];
  keepOffered(desk, `${user.id}/${given.actionId}`, offered);
  return offered.map((each) => ({
    text: textOf(objectOf(each['text'])['text']) ?? '',
    value: textOf(each['value']) ?? '',
  }));
}
