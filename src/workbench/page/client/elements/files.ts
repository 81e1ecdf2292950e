/** A file field: each file uploads as soon as it is chosen, and the submission contains their IDs. */
import type { ShownElement } from '../../protocol.ts';
import { createDomElement, createIcon } from '../dom.ts';
import { findFileProblem } from '../file-bounds.ts';
import { currentElementValues } from '../unsent-input.ts';
import { controlAttributes, type ElementContext } from './element-context.ts';

/** Without the `data:` prefix and the type. */
function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error(`Couldn't read ${file.name}`)));
    reader.readAsDataURL(file);
  });
}

export function drawFileInput(element: ShownElement, place: ElementContext): HTMLElement {
  const { surface } = place;
  const most = element.maxFiles ?? 10;
  const { 'data-block': block, 'data-action': action, ...labels } = controlAttributes(element, place);
  const input = createDomElement('input', {
    ...labels,
    class: 'control file-input',
    type: 'file',
    multiple: most > 1,
    accept: element.fileTypes?.map((ending) => `.${ending}`).join(','),
  });
  const chosen = createDomElement('ul', { class: 'chips files-chosen', 'aria-label': 'Chosen files' });
  const words = createDomElement('p', { class: 'pick-words', role: 'status', hidden: true });
  const say = (text: string) => {
    words.textContent = text;
    words.hidden = text === '';
  };
  const settle = (ids: readonly string[]) => {
    surface.setValue(element, ids);
    showChosen();
  };
  const drawChip = (id: string) => {
    const name = surface.optionName(element, id);
    const without = () => settle(currentElementValues(element, surface.typed).filter((each) => each !== id));
    const remove = createDomElement(
      'button',
      {
        type: 'button',
        'aria-label': `Remove ${name}`,
        onclick: () => {
          without();
          say('');
          input.focus();
        },
      },
      createIcon('close'),
    );
    return createDomElement('li', { class: 'chip' }, name, remove);
  };
  const showChosen = () => {
    const ids = currentElementValues(element, surface.typed);
    chosen.replaceChildren(...ids.map(drawChip));
    chosen.hidden = ids.length === 0;
  };
  const take = async (file: File): Promise<string> => {
    const bounds = { most, bytes: element.maxBytes, endings: element.fileTypes ?? [] };
    const refusal = findFileProblem(file, currentElementValues(element, surface.typed).length, bounds);
    if (refusal !== undefined) return refusal;
    const answer = await surface.upload(file.name, readBase64(file));
    if (typeof answer === 'string') return answer;
    surface.rememberOptionName(element, answer.id, file.name);
    settle([...currentElementValues(element, surface.typed), answer.id]);
    return '';
  };
  const takeAll = async (files: readonly File[]) => {
    input.setAttribute('aria-busy', 'true');
    const said: string[] = [];
    for (const file of files) said.push(await take(file));
    input.removeAttribute('aria-busy');
    say([...new Set(said)].filter((each) => each !== '').join(' '));
  };
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    // Lets the person choose the same file again; the list below shows the chosen files.
    input.value = '';
    void takeAll(files);
  });
  showChosen();
  return createDomElement(
    'div',
    { class: 'files', 'data-block': block, 'data-action': action },
    input,
    chosen,
    words,
  );
}
