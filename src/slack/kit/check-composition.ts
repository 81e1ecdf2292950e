/** Checks Block Kit's composition objects: texts, options, confirmations. */
import type { SlackLimitName } from './limits.ts';
import { asBlockFields, type ProblemCollector } from './problems.ts';

/** @param kind set where Slack allows only one of the two text types */
export function checkText(
  problems: ProblemCollector,
  place: string,
  value: unknown,
  name: SlackLimitName,
  kind?: 'plain_text' | 'mrkdwn',
): void {
  const text = asBlockFields(value);
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
  problems.checkString(`${place}.text`, text.text, name);
  if (typeof text.text === 'string') problems.textLength += text.text.length;
}

export function checkOptionalPlainText(
  problems: ProblemCollector,
  place: string,
  value: unknown,
  name: SlackLimitName,
): void {
  if (value !== undefined) checkText(problems, place, value, name, 'plain_text');
}

/** Options of a select, an overflow menu, checkboxes or radio buttons. */
export function checkOptions(
  problems: ProblemCollector,
  place: string,
  value: unknown,
  name: SlackLimitName,
  text: 'plain_text' | undefined,
): void {
  const values = new Set<unknown>();
  for (const [index, item] of problems.checkList(place, value, name).entries()) {
    const at = `${place}[${index}]`;
    checkOption(problems, at, item, text);
    const own = asBlockFields(item)?.value;
    if (values.has(own)) problems.add(at, `value "${String(own)}" appears twice`);
    values.add(own);
  }
}

function checkOption(
  problems: ProblemCollector,
  place: string,
  value: unknown,
  kind: 'plain_text' | undefined,
): void {
  const option = asBlockFields(value);
  if (!option) {
    problems.add(place, 'must be an option');
    return;
  }
  checkText(problems, `${place}.text`, option.text, 'optionText', kind);
  problems.checkString(`${place}.value`, option.value, 'optionValue');
  if (option.description !== undefined)
    checkText(problems, `${place}.description`, option.description, 'optionDescription', kind);
  problems.checkOptionalString(`${place}.url`, option.url, 'optionUrl');
}

export function checkConfirm(problems: ProblemCollector, place: string, value: unknown): void {
  if (value === undefined) return;
  const confirm = asBlockFields(value);
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

export function checkStyle(problems: ProblemCollector, place: string, style: unknown): void {
  if (style !== undefined && style !== 'primary' && style !== 'danger')
    problems.add(`${place}.style`, 'must be primary or danger');
}
