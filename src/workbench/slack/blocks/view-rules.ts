/** Rules for modals and Homes. */
import { objectOrEmpty, objectsInList } from '../json-reading.ts';
import { checkHomeBlocks, checkModalBlocks } from './block-rules.ts';
import { plainTextRule } from './composition.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import {
  booleanRule,
  createRootLocation,
  type JsonRule,
  objectRule,
  oneOfRule,
  optionalField,
  requiredField,
  textRule,
} from './rules.ts';

const shared = {
  private_metadata: optionalField(textRule(LIMIT.privateMetadata, 0)),
  callback_id: optionalField(textRule(LIMIT.id, 0)),
  external_id: optionalField(textRule(LIMIT.id, 0)),
};

const submitWhereInput: JsonRule = (value, place) => {
  const { blocks, submit } = objectOrEmpty(value);
  const asks = objectsInList(blocks).some((each) => each['type'] === 'input');
  if (asks && !submit) place.reportProblem('missing required field: submit');
};

const oneFocus: JsonRule = (value, place) => {
  const focused = JSON.stringify(value).split('"focus_on_load":true').length - 1;
  if (focused > 1) place.reportProblem('only one element can be focused on load');
};

const modal = objectRule(
  {
    ...shared,
    blocks: requiredField(checkModalBlocks),
    type: requiredField(oneOfRule('modal')),
    title: requiredField(plainTextRule(LIMIT.viewTitle)),
    submit: optionalField(plainTextRule(LIMIT.viewTitle)),
    close: optionalField(plainTextRule(LIMIT.viewTitle)),
    clear_on_close: optionalField(booleanRule),
    notify_on_close: optionalField(booleanRule),
    submit_disabled: optionalField(booleanRule),
  },
  submitWhereInput,
  oneFocus,
);

const home = objectRule(
  {
    ...shared,
    blocks: requiredField(checkHomeBlocks),
    type: requiredField(oneOfRule('home')),
    title: optionalField(plainTextRule(LIMIT.viewTitle)),
    submit: optionalField(plainTextRule(LIMIT.viewTitle)),
    close: optionalField(plainTextRule(LIMIT.viewTitle)),
  },
  oneFocus,
);

/** Problems of a view, in Slack's words. */
export function findViewProblems(view: unknown, type: 'modal' | 'home'): readonly string[] {
  const problems: string[] = [];
  (type === 'modal' ? modal : home)(view, createRootLocation('/view', problems));
  return problems;
}

export function isViewTooLarge(view: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(view)) > LIMIT.viewBytes;
}
