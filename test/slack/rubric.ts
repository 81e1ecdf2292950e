/** Slack's own rubric for messages and views, as rules over every rendering. */
import type { MessageBlock } from '../../src/slack/kit/chart-block.ts';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every object in the blocks, outside in. */
function* everyObject(value: unknown): Generator<Fields> {
  if (Array.isArray(value)) for (const each of value) yield* everyObject(each);
  else if (isFields(value)) {
    yield value;
    for (const each of Object.values(value)) yield* everyObject(each);
  }
}

function wordsOf(value: unknown): string {
  return isFields(value) && typeof value['text'] === 'string' ? value['text'] : '';
}

const EMOJI = /:[a-z0-9_+-]{2,}:|\p{Extended_Pictographic}/u;
/** Words that Title Case leaves small, except at the start. */
const SMALL = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'for',
  'from',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);
const LONGEST_LABEL_WORDS = 3;
/** What it does must be clear without its message: it stands for the whole setup of a workspace. */
const LONG_LABELS: ReadonlySet<string> = new Set(['Connect Your Marketplace Account']);

function isTitleCase(label: string): boolean {
  return label.split(' ').every((word, index) => {
    const isSmall = index > 0 && SMALL.has(word);
    return isSmall || !/^\p{Ll}/u.test(word);
  });
}

function buttonProblems(button: Fields): string[] {
  const label = wordsOf(button['text']);
  const problems: string[] = [];
  if (EMOJI.test(label)) problems.push(`emoji in the button “${label}”`);
  if (!isTitleCase(label)) problems.push(`the button “${label}” is not in Title Case`);
  // A price in brackets is part of what a person decides on.
  if (!LONG_LABELS.has(label) && label.replace(/ \(.*\)$/u, '').split(' ').length > LONGEST_LABEL_WORDS)
    problems.push(`the button “${label}” is long`);
  return problems;
}

const DATE_TOKEN = /<!date\^[^>]*>/gu;
const BARE_TIME = /\b\d{1,2}:\d{2} [AP]M UTC\b/u;

/** The rules for blocks anywhere. */
function placelessProblems(blocks: unknown): string[] {
  const problems: string[] = [];
  for (const each of everyObject(blocks)) {
    if (each['type'] === 'button') problems.push(...buttonProblems(each));
    if (each['type'] === 'header' && EMOJI.test(wordsOf(each['text'])))
      problems.push(`emoji in the header “${wordsOf(each['text'])}”`);
    if (each['type'] === 'image' && !each['alt_text']) problems.push('an image without alt text');
    if (each['type'] === 'mrkdwn' && BARE_TIME.test(wordsOf(each).replaceAll(DATE_TOKEN, '')))
      problems.push(`a time that is not in the reader's zone: ${wordsOf(each)}`);
  }
  return problems;
}

/** What follows one of these is apart from the point of the message, or opens with a press. */
const FOLDS = new Set(['container', 'data_table', 'table', 'divider', 'actions']);

/** How many lines of text a person reads before anything is folded, apart or pressed. */
export function countLinesBeforeFold(blocks: readonly { readonly type: string }[]): number {
  let lines = 0;
  for (const block of blocks) {
    if (FOLDS.has(block.type)) break;
    for (const each of everyObject(block))
      if (each['type'] === 'mrkdwn') lines += wordsOf(each).split('\n').length;
  }
  return lines;
}

/**
 * Blocks of our own messages with an id. A block that changes by an update needs a new one, and Slack makes
 * one where we set none.
 */
export function findFixedIds(blocks: readonly MessageBlock[]): readonly string[] {
  return blocks.flatMap(({ block_id: id }) => id ?? []);
}

/** What goes against the rubric in a message. */
export function findMessageRubricProblems(blocks: readonly MessageBlock[]): readonly string[] {
  const problems = placelessProblems(blocks);
  const primary = [...everyObject(blocks)].filter(
    (each) => each['type'] === 'button' && each['style'] === 'primary',
  );
  if (primary.length > 1) problems.push(`${primary.length} primary buttons`);
  const first = blocks[0]?.type;
  if (first === 'actions' || first === 'divider')
    problems.push(`it begins with ${first}, not with its point`);
  return problems;
}

/** The content of blocks that people press, by id. Inputs keep what was typed, so they are not among them. */
function pressedBlocks(blocks: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const each of everyObject(blocks))
    if ((each['type'] === 'actions' || each['type'] === 'section') && typeof each['block_id'] === 'string')
      found.set(each['block_id'], JSON.stringify(each));
  return found;
}

/** Blocks that an update changed under the same id: Slack may keep showing what was chosen before. */
export function findUpdateRubricProblems(before: unknown, after: unknown): readonly string[] {
  const earlier = pressedBlocks(before);
  return [...pressedBlocks(after)].flatMap(([id, content]) => {
    const old = earlier.get(id);
    return old === undefined || old === content ? [] : [`block ${id} changed under its id`];
  });
}

/** What goes against the rubric in a modal or Home. */
export function findViewRubricProblems(blocks: unknown): readonly string[] {
  return placelessProblems(blocks);
}
