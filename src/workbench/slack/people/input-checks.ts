/**
 * What Slack's client refuses to submit: empty required fields, text and numbers out of bounds, wrong files.
 */
import { BLOCK_LIMITS } from '../blocks/limits.ts';
import { fileExtension } from '../file-types.ts';
import { listOrEmpty, objectOrEmpty, objectsInList, stringOrUndefined } from '../json-reading.ts';
import type { Block, JsonObject } from '../objects.ts';
import type { InputState } from './input-state.ts';

function isEmpty(value: JsonObject): boolean {
  const [chosen] = Object.entries(value)
    .filter(([field]) => field !== 'type')
    .map(([, field]) => field);
  return (
    chosen === undefined || chosen === null || chosen === '' || (Array.isArray(chosen) && chosen.length === 0)
  );
}

function checkText(element: JsonObject, text: string): string | undefined {
  const max = Number(element['max_length'] ?? BLOCK_LIMITS.inputText);
  const min = Number(element['min_length'] ?? 0);
  if (text.length > max) return `Please enter no more than ${max} characters.`;
  if (text.length < min) return `Please enter at least ${min} characters.`;
  return undefined;
}

function checkNumber(element: JsonObject, text: string): string | undefined {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'Please enter a number.';
  if (element['is_decimal_allowed'] !== true && !Number.isInteger(value))
    return 'Please enter a whole number.';
  const min = element['min_value'] === undefined ? undefined : Number(element['min_value']);
  const max = element['max_value'] === undefined ? undefined : Number(element['max_value']);
  if (min !== undefined && value < min) return `Please enter a number of at least ${min}.`;
  if (max !== undefined && value > max) return `Please enter a number of at most ${max}.`;
  return undefined;
}

/** Slack's client doesn't let a person choose such files. */
function checkFiles(element: JsonObject, value: JsonObject): string | undefined {
  const files = objectsInList(value['files']);
  const most = Number(element['max_files'] ?? BLOCK_LIMITS.inputFiles);
  if (files.length > most) return `Please choose no more than ${most} ${most === 1 ? 'file' : 'files'}.`;
  const types = listOrEmpty(element['filetypes']).map((each) => String(each).toLowerCase());
  const isOther = ({ name }: JsonObject) =>
    !types.includes(fileExtension(stringOrUndefined(name) ?? '') ?? '');
  if (types.length > 0 && files.some(isOther)) return `Please choose only files of type ${types.join(', ')}.`;
  return undefined;
}

const TEXT_CHECKS: Readonly<Record<string, (element: JsonObject, text: string) => string | undefined>> = {
  plain_text_input: checkText,
  number_input: checkNumber,
  email_text_input: (_element, text) =>
    /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text) ? undefined : 'Please enter a valid email address.',
  url_text_input: (_element, text) => (URL.canParse(text) ? undefined : 'Please enter a valid URL.'),
};

/** Errors by block ID; empty when the view may be submitted. */
export function inputErrors(blocks: readonly Block[], state: InputState): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input') continue;
    const element = objectOrEmpty(block['element']);
    const value = state[block.block_id]?.[stringOrUndefined(element['action_id']) ?? ''];
    if (!value || isEmpty(value)) {
      if (block['optional'] !== true) errors[block.block_id] = 'Please complete this required field.';
      continue;
    }
    const type = stringOrUndefined(element['type']) ?? '';
    const problem =
      type === 'file_input'
        ? checkFiles(element, value)
        : TEXT_CHECKS[type]?.(element, String(value['value']));
    if (problem !== undefined) errors[block.block_id] = problem;
  }
  return errors;
}
