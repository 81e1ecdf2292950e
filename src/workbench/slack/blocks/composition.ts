/** Texts, options, confirmations: the parts from which elements and blocks are made. */
import { isObject, listOf, objectOf, objectsOf } from '../reading.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import { among, byType, flag, list, matching, may, need, type Rule, shape, text } from './rules.ts';

const plain = (max: number): Rule =>
  shape({ type: need(among('plain_text')), text: need(text(max)), emoji: may(flag) });
const mrkdwn = (max: number): Rule =>
  shape({ type: need(among('mrkdwn')), text: need(text(max)), verbatim: may(flag) });

/** A `plain_text` object, where Slack takes no markup. */
export const plainText = (max: number): Rule => byType({ plain_text: plain(max) });
export const anyText = (max: number): Rule => byType({ plain_text: plain(max), mrkdwn: mrkdwn(max) });

export const id = text(LIMIT.id);
export const url = (max: number = LIMIT.url): Rule => {
  const length = text(max);
  const form = matching(/^[a-z][a-z0-9+.-]*:\S+$/i, 'a valid URL');
  return (value, place) => {
    length(value, place);
    form(value, place);
  };
};

export const confirm = shape({
  title: need(plainText(LIMIT.confirmTitle)),
  text: need(anyText(LIMIT.confirmText)),
  confirm: need(plainText(LIMIT.confirmButton)),
  deny: need(plainText(LIMIT.confirmButton)),
  style: may(among('primary', 'danger')),
});

/** `marked`: checkboxes and radio buttons may use mrkdwn; `linked`: overflow menus may carry a url. */
export function option(kind: { marked?: boolean; linked?: boolean } = {}): Rule {
  const words = kind.marked ? anyText : plainText;
  return shape({
    text: need(words(LIMIT.optionText)),
    value: need(text(LIMIT.optionValue, 0)),
    description: may(words(LIMIT.optionText)),
    ...(kind.linked ? { url: may(url()) } : {}),
  });
}

const group = shape({
  label: need(plainText(LIMIT.optionText)),
  options: need(list(option(), LIMIT.selectOptions)),
});
export const optionGroups = list(group, LIMIT.optionGroups);

/** Every option that a select, a group of boxes or an overflow menu offers. */
export function offeredOptions(element: unknown): readonly Record<string, unknown>[] {
  const { options, option_groups: groups } = objectOf(element);
  return [...objectsOf(options), ...objectsOf(groups).flatMap((each) => objectsOf(each['options']))];
}

function sameOption(a: unknown, b: unknown): boolean {
  const [left, right] = [objectOf(a), objectOf(b)];
  return (
    left['value'] === right['value'] && objectOf(left['text'])['text'] === objectOf(right['text'])['text']
  );
}

/** What is chosen at first must be among what is offered. */
export const initialsAmongOptions: Rule = (value, place) => {
  if (!isObject(value)) return;
  const offered = offeredOptions(value);
  const { initial_option: one, initial_options: several } = value;
  const check = (initial: unknown, key: string) => {
    if (!offered.some((each) => sameOption(each, initial)))
      place.child(key).report('must be one of the provided options');
  };
  if (one !== undefined) check(one, 'initial_option');
  for (const initial of listOf(several)) check(initial, 'initial_options');
};

/** `options` or `option_groups`, never both. */
export const optionsOrGroups: Rule = (value, place) => {
  const { options, option_groups: groups } = objectOf(value);
  if (options === undefined && groups === undefined)
    place.report('must define either `options` or `option_groups`');
  if (options !== undefined && groups !== undefined)
    place.report('must define only one of `options` and `option_groups`');
};

export const uniqueValues: Rule = (value, place) => {
  const values = offeredOptions(value).map((each) => each['value']);
  if (new Set(values).size !== values.length) place.report('option values must be unique');
};
