/** What a modal or a Home must look like. */
import { objectOf, objectsOf } from '../reading.ts';
import { viewBlockProblems } from './block-rules.ts';
import { plainText } from './composition.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import { among, flag, may, need, type Rule, shape, startAt, text } from './rules.ts';

const shared = {
  blocks: need(viewBlockProblems),
  private_metadata: may(text(LIMIT.privateMetadata, 0)),
  callback_id: may(text(LIMIT.id, 0)),
  external_id: may(text(LIMIT.id, 0)),
};

const submitWhereInput: Rule = (value, place) => {
  const { blocks, submit } = objectOf(value);
  const asks = objectsOf(blocks).some((each) => each['type'] === 'input');
  if (asks && !submit) place.report('missing required field: submit');
};

const oneFocus: Rule = (value, place) => {
  const focused = JSON.stringify(value).split('"focus_on_load":true').length - 1;
  if (focused > 1) place.report('only one element can be focused on load');
};

const modal = shape(
  {
    ...shared,
    type: need(among('modal')),
    title: need(plainText(LIMIT.viewTitle)),
    submit: may(plainText(LIMIT.viewTitle)),
    close: may(plainText(LIMIT.viewTitle)),
    clear_on_close: may(flag),
    notify_on_close: may(flag),
    submit_disabled: may(flag),
  },
  submitWhereInput,
  oneFocus,
);

const home = shape(
  {
    ...shared,
    type: need(among('home')),
    title: may(plainText(LIMIT.viewTitle)),
    submit: may(plainText(LIMIT.viewTitle)),
    close: may(plainText(LIMIT.viewTitle)),
  },
  oneFocus,
);

/** What is wrong with a view, as Slack words it; empty when nothing is. */
export function viewProblems(view: unknown, type: 'modal' | 'home'): readonly string[] {
  const problems: string[] = [];
  (type === 'modal' ? modal : home)(view, startAt('/view', problems));
  return problems;
}

export function isTooLarge(view: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(view)) > LIMIT.viewBytes;
}
