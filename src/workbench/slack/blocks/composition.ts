/** Texts, options, confirmations: the parts of elements and blocks. */
import { isJsonObject, listOrEmpty, objectOrEmpty, objectsInList } from '../json-reading.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import {
  booleanRule,
  byTypeRule,
  type JsonRule,
  listRule,
  objectRule,
  oneOfRule,
  optionalField,
  patternRule,
  requiredField,
  textRule,
} from './rules.ts';

const plain = (max: number): JsonRule =>
  objectRule({
    type: requiredField(oneOfRule('plain_text')),
    text: requiredField(textRule(max)),
    emoji: optionalField(booleanRule),
  });
const mrkdwn = (max: number): JsonRule =>
  objectRule({
    type: requiredField(oneOfRule('mrkdwn')),
    text: requiredField(textRule(max)),
    verbatim: optionalField(booleanRule),
  });

/** A `plain_text` object, for places where Slack allows no markup. */
export const plainTextRule = (max: number): JsonRule => byTypeRule({ plain_text: plain(max) });
export const anyTextRule = (max: number): JsonRule =>
  byTypeRule({ plain_text: plain(max), mrkdwn: mrkdwn(max) });

export const idRule = textRule(LIMIT.id);
export const urlRule = (max: number = LIMIT.url): JsonRule => {
  const length = textRule(max);
  const form = patternRule(/^[a-z][a-z0-9+.-]*:\S+$/i, 'a valid URL');
  return (value, place) => {
    length(value, place);
    form(value, place);
  };
};

export const confirmRule = objectRule({
  title: requiredField(plainTextRule(LIMIT.confirmTitle)),
  text: requiredField(anyTextRule(LIMIT.confirmText)),
  confirm: requiredField(plainTextRule(LIMIT.confirmButton)),
  deny: requiredField(plainTextRule(LIMIT.confirmButton)),
  style: optionalField(oneOfRule('primary', 'danger')),
});

/** `marked`: checkboxes and radio buttons may use mrkdwn; `linked`: overflow menus may have a URL. */
export function optionRule(kind: { marked?: boolean; linked?: boolean } = {}): JsonRule {
  const words = kind.marked ? anyTextRule : plainTextRule;
  return objectRule({
    text: requiredField(words(LIMIT.optionText)),
    value: requiredField(textRule(LIMIT.optionValue, 0)),
    description: optionalField(words(LIMIT.optionText)),
    ...(kind.linked ? { url: optionalField(urlRule()) } : {}),
  });
}

const group = objectRule({
  label: requiredField(plainTextRule(LIMIT.optionText)),
  options: requiredField(listRule(optionRule(), LIMIT.selectOptions)),
});
export const optionGroupsRule = listRule(group, LIMIT.optionGroups);

/** Every option of a select, a group of boxes or an overflow menu. */
export function listOfferedOptions(element: unknown): readonly Record<string, unknown>[] {
  const { options, option_groups: groups } = objectOrEmpty(element);
  return [
    ...objectsInList(options),
    ...objectsInList(groups).flatMap((each) => objectsInList(each['options'])),
  ];
}

function sameOption(a: unknown, b: unknown): boolean {
  const [left, right] = [objectOrEmpty(a), objectOrEmpty(b)];
  return (
    left['value'] === right['value'] &&
    objectOrEmpty(left['text'])['text'] === objectOrEmpty(right['text'])['text']
  );
}

/** Initial options must be among the offered ones. */
export const initialOptionsRule: JsonRule = (value, place) => {
  if (!isJsonObject(value)) return;
  const offered = listOfferedOptions(value);
  const { initial_option: one, initial_options: several } = value;
  const check = (initial: unknown, key: string) => {
    if (!offered.some((each) => sameOption(each, initial)))
      place.child(key).reportProblem('must be one of the provided options');
  };
  if (one !== undefined) check(one, 'initial_option');
  for (const initial of listOrEmpty(several)) check(initial, 'initial_options');
};

/** `options` or `option_groups`, never both. */
export const optionsOrGroupsRule: JsonRule = (value, place) => {
  const { options, option_groups: groups } = objectOrEmpty(value);
  if (options === undefined && groups === undefined)
    place.reportProblem('must define either `options` or `option_groups`');
  if (options !== undefined && groups !== undefined)
    place.reportProblem('must define only one of `options` and `option_groups`');
};

export const uniqueOptionValuesRule: JsonRule = (value, place) => {
  const values = listOfferedOptions(value).map((each) => each['value']);
  if (new Set(values).size !== values.length) place.reportProblem('option values must be unique');
};
