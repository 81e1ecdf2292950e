/** The commands of the sandbox's prompt that fill in, submit and close modals. */
import {
  findModalField,
  listFieldChoices,
  listModalFields,
  type ModalField,
  parseFieldInput,
} from './sandbox-modal.ts';
import type { PromptContext, UnsentModalValues } from './sandbox-prompt-context.ts';
import type { InputValues, SlackView } from './slack/simulated-slack.ts';

/** The typed values of inputs that the view still has. */
export function collectEnteredValues(typed: UnsentModalValues, view: SlackView): InputValues {
  const there = new Set(listModalFields(view).map(({ blockId }) => blockId));
  return Object.fromEntries(Object.entries(typed.get(view.id) ?? {}).filter(([block]) => there.has(block)));
}

function openModal({ slack, place, print }: PromptContext): SlackView | undefined {
  const view = slack.view(place.person);
  if (!view) print('No modal is open.');
  return view;
}

/** `Cover letter = Hello`: the field, and the words after the sign; undefined without a sign. */
function readPair(
  prompt: PromptContext,
  view: SlackView,
  line: string,
): { field: ModalField; words?: string } | undefined {
  const [, name = '', words] = /^([^=]*?)\s*(?:=\s?([\s\S]*))?$/u.exec(line) ?? [];
  const field = findModalField(view, name);
  if (field) return { field, ...(words === undefined ? {} : { words }) };
  const labels = listModalFields(view).map(({ label }) => label);
  prompt.print(`There's no field called “${name}” here. Fields: ${labels.join(' | ') || 'none'}`);
  return undefined;
}

function read(
  { slack, print }: PromptContext,
  field: ModalField,
  words: string,
): { value: InputValues[string] } | undefined {
  const idOf = (name: string) => {
    try {
      return slack.user(name).id;
    } catch {
      return undefined;
    }
  };
  const got = parseFieldInput(field, words, idOf);
  if (got.kind === 'value') return got;
  print(got.words);
  return undefined;
}

/** Fills an input; a menu that dispatches changes sends one to the app. */
async function enter(
  prompt: PromptContext,
  view: SlackView,
  field: ModalField,
  words: string,
): Promise<void> {
  const got = read(prompt, field, words);
  if (!got) return;
  const { slack, place, typed, print } = prompt;
  const { blockId, actionId, label } = field;
  if (!field.tells) {
    typed.set(view.id, { ...typed.get(view.id), [blockId]: got.value });
    print(words === '' ? `(${label} is now empty)` : `(${label}: ${words})`);
    return;
  }
  const at = { view, user: place.person, actionId, blockId, values: collectEnteredValues(typed, view) };
  const answer = await slack.chooseOption({ ...at, option: got.value });
  typed.delete(view.id);
  if (!answer.acked) print("(the app didn't respond)");
}

export async function fillModalField(prompt: PromptContext, line: string): Promise<void> {
  const view = openModal(prompt);
  const pair = view && readPair(prompt, view, line);
  if (!view || !pair) return;
  const { field, words } = pair;
  if (words === undefined) prompt.print(`Enter a value: fill ${field.label} = …`);
  else await enter(prompt, view, field, words);
}

export async function chooseModalOption(prompt: PromptContext, line: string): Promise<void> {
  const view = openModal(prompt);
  const pair = view && readPair(prompt, view, line);
  if (!view || !pair) return;
  const { field, words } = pair;
  if (words !== undefined) return enter(prompt, view, field, words);
  const offered = listFieldChoices(field).map((each) => `  ${each}`);
  prompt.print(
    offered.length > 0
      ? `${field.label}:\n${offered.join('\n')}`
      : `“${field.label}” isn't a menu. Use fill instead.`,
  );
}

/** Each argument `name=value` fills an input first. */
function readPairs(prompt: PromptContext, view: SlackView, line: string): InputValues | undefined {
  const values: Record<string, InputValues[string]> = {};
  for (const word of line.split(/\s+/u).filter((each) => each.includes('='))) {
    const pair = readPair(prompt, view, word);
    const got = pair && read(prompt, pair.field, pair.words ?? '');
    if (!pair || !got) return undefined;
    values[pair.field.blockId] = got.value;
  }
  return values;
}

export async function submitOpenModal(prompt: PromptContext, line: string): Promise<void> {
  const view = openModal(prompt);
  if (!view) return;
  const { slack, place, typed, print } = prompt;
  const more = readPairs(prompt, view, line);
  if (view.submit === undefined)
    print('This modal has no submit button. Press one of its buttons, or close it.');
  if (view.submit === undefined || !more) return;
  const values = { ...collectEnteredValues(typed, view), ...more };
  const answer = await slack.submitView({ user: place.person, view, values });
  const errors = Object.entries(answer.errors);
  if (errors.length === 0) typed.delete(view.id);
  const labels = new Map(listModalFields(view).map(({ blockId, label }) => [blockId, label]));
  for (const [block, error] of errors) print(`(at “${labels.get(block) ?? block}”: ${error})`);
  if (answer.sent && !answer.acked) print("(the app didn't respond)");
  if (answer.action === 'close' || answer.action === 'clear') print('(modal closed)');
}

export async function closeModal(prompt: PromptContext): Promise<void> {
  const view = openModal(prompt);
  if (!view) return;
  await prompt.slack.closeView({ user: prompt.place.person });
  prompt.typed.delete(view.id);
  prompt.print('(closed)');
}
