/** The sandbox's prompt, as far as it fills in, sends and closes modals. */
import { choicesOf, type Field, fieldsOf, findField, readValue } from './sandbox-modal.ts';
import type { Prompt, Typed } from './sandbox-place.ts';
import type { Filled, View } from './slack/simulated-slack.ts';

/** What was typed into those inputs that the view still has. */
export function typedInto(typed: Typed, view: View): Filled {
  const there = new Set(fieldsOf(view).map(({ blockId }) => blockId));
  return Object.fromEntries(Object.entries(typed.get(view.id) ?? {}).filter(([block]) => there.has(block)));
}

function openModal({ slack, place, print }: Prompt): View | undefined {
  const view = slack.view(place.person);
  if (!view) print('No modal is open.');
  return view;
}

/** `Cover letter = Hello`: the field, and what stands behind the sign; undefined without a sign. */
function readPair(prompt: Prompt, view: View, line: string): { field: Field; words?: string } | undefined {
  const [, name = '', words] = /^([^=]*?)\s*(?:=\s?([\s\S]*))?$/u.exec(line) ?? [];
  const field = findField(view, name);
  if (field) return { field, ...(words === undefined ? {} : { words }) };
  const labels = fieldsOf(view).map(({ label }) => label);
  prompt.print(`There's no field called “${name}” here. Fields: ${labels.join(' | ') || 'none'}`);
  return undefined;
}

function read({ slack, print }: Prompt, field: Field, words: string): { value: Filled[string] } | undefined {
  const idOf = (name: string) => {
    try {
      return slack.user(name).id;
    } catch {
      return undefined;
    }
  };
  const got = readValue(field, words, idOf);
  if (got.kind === 'value') return got;
  print(got.words);
  return undefined;
}

/** Types into an input; a menu that tells the app of a change does so. */
async function enter(prompt: Prompt, view: View, field: Field, words: string): Promise<void> {
  const got = read(prompt, field, words);
  if (!got) return;
  const { slack, place, typed, print } = prompt;
  const { blockId, actionId, label } = field;
  if (!field.tells) {
    typed.set(view.id, { ...typed.get(view.id), [blockId]: got.value });
    print(words === '' ? `(${label} is now empty)` : `(${label}: ${words})`);
    return;
  }
  const at = { view, user: place.person, actionId, blockId, values: typedInto(typed, view) };
  const answer = await slack.choose({ ...at, option: got.value });
  typed.delete(view.id);
  if (!answer.acked) print("(the app didn't respond)");
}

export async function fill(prompt: Prompt, line: string): Promise<void> {
  const view = openModal(prompt);
  const pair = view && readPair(prompt, view, line);
  if (!view || !pair) return;
  const { field, words } = pair;
  if (words === undefined) prompt.print(`Enter a value: fill ${field.label} = …`);
  else await enter(prompt, view, field, words);
}

export async function choose(prompt: Prompt, line: string): Promise<void> {
  const view = openModal(prompt);
  const pair = view && readPair(prompt, view, line);
  if (!view || !pair) return;
  const { field, words } = pair;
  if (words !== undefined) return enter(prompt, view, field, words);
  const offered = choicesOf(field).map((each) => `  ${each}`);
  prompt.print(
    offered.length > 0
      ? `${field.label}:\n${offered.join('\n')}`
      : `“${field.label}” isn't a menu. Use fill instead.`,
  );
}

/** Every word `name=value` fills an input first. */
function readPairs(prompt: Prompt, view: View, line: string): Filled | undefined {
  const values: Record<string, Filled[string]> = {};
  for (const word of line.split(/\s+/u).filter((each) => each.includes('='))) {
    const pair = readPair(prompt, view, word);
    const got = pair && read(prompt, pair.field, pair.words ?? '');
    if (!pair || !got) return undefined;
    values[pair.field.blockId] = got.value;
  }
  return values;
}

export async function submit(prompt: Prompt, line: string): Promise<void> {
  const view = openModal(prompt);
  if (!view) return;
  const { slack, place, typed, print } = prompt;
  const more = readPairs(prompt, view, line);
  if (view.submit === undefined)
    print('This modal has no submit button. Press one of its buttons, or close it.');
  if (view.submit === undefined || !more) return;
  const values = { ...typedInto(typed, view), ...more };
  const answer = await slack.submitView({ user: place.person, view, values });
  const errors = Object.entries(answer.errors);
  if (errors.length === 0) typed.delete(view.id);
  const labels = new Map(fieldsOf(view).map(({ blockId, label }) => [blockId, label]));
  for (const [block, error] of errors) print(`(at “${labels.get(block) ?? block}”: ${error})`);
  if (answer.sent && !answer.acked) print("(the app didn't respond)");
  if (answer.action === 'close' || answer.action === 'clear') print('(modal closed)');
}

export async function closeModal(prompt: Prompt): Promise<void> {
  const view = openModal(prompt);
  if (!view) return;
  await prompt.slack.closeView({ user: prompt.place.person });
  prompt.typed.delete(view.id);
  prompt.print('(closed)');
}
