/** Checks Block Kit's composition objects: texts, options, confirmations. */
import type { LimitName } from './limits.ts';
import { asFields, type Problems } from './problems.ts';

/** A text object; `kind` where only one of the two is allowed. */
export function checkText(
  problems: Problems,
  place: string,
  value: unknown,
  name: LimitName,
  kind?: 'plain_text' | 'mrkdwn',
): void {
  const text = asFields(value);
  if (!text) {
    problems.add(place, 'must be a text object');
    return;
  }
  const type = text.type;
  if (type !== 'plain_text' && type !== 'mrkdwn') problems.add(place, `unknown text type: ${String(type)}`);
  else if (kind && type !== kind) problems.add(place, `must be ${kind}`);
  if (type === 'plain_text' && text.verbatim !== undefined)
    problems.add(place, 'verbatim is only for mrkdwn');
  if (type === 'mrkdwn' && text.emoji !== undefined) problems.add(place, 'emoji is only for plain_text');
  problems.string(`${place}.text`, text.text, name);
  if (typeof text.text === 'string') problems.textLength += text.text.length;
}

export function checkPlain(problems: Problems, place: string, value: unknown, name: LimitName): void {
  if (value !== undefined) checkText(problems, place, value, name, 'plain_text');
}

/** Options of a select, an overflow menu, checkboxes or radio buttons. */
export function checkOptions(
  problems: Problems,
  place: string,
  value: unknown,
  name: LimitName,
  text: 'plain_text' | undefined,
): void {
  const values = new Set<unknown>();
  for (const [index, item] of problems.list(place, value, name).entries()) {
    const at = `${place}[${index}]`;
    checkOption(problems, at, item, text);
    const own = asFields(item)?.value;
    if (values.has(own)) problems.add(at, `value "${String(own)}" appears twice`);
    values.add(own);
  }
}

function checkOption(
  problems: Problems,
  place: string,
  value: unknown,
  kind: 'plain_text' | undefined,
): void {
  const option = asFields(value);
  if (!option) {
    problems.add(place, 'must be an option');
    return;
  }
  checkText(problems, `${place}.text`, option.text, 'optionText', kind);
  problems.string(`${place}.value`, option.value, 'optionValue');
  if (option.description !== undefined)
    checkText(problems, `${place}.description`, option.description, 'optionDescription', kind);
  problems.optionalString(`${place}.url`, option.url, 'optionUrl');
}

/** The question before something is done. */
export function checkConfirm(problems: Problems, place: string, value: unknown): void {
  if (value === undefined) return;
  const confirm = asFields(value);
  if (!confirm) {
    problems.add(place, 'must be a confirmation');
    return;
  }
  checkText(problems, `${place}.title`, confirm.title, 'confirmTitle', 'plain_text');
  checkText(problems, `${place}.text`, confirm.text, 'confirmText');
  checkText(problems, `${place}.confirm`, confirm.confirm, 'confirmButton', 'plain_text');
  checkText(problems, `${place}.deny`, confirm.deny, 'confirmButton', 'plain_text');
  checkStyle(problems, place, confirm.style);
}

export function checkStyle(problems: Problems, place: string, style: unknown): void {
  if (style !== undefined && style !== 'primary' && style !== 'danger')
    problems.add(`${place}.style`, 'must be primary or danger');
}
