/** The list below a field: options in groups, one of them marked. */
import type { ShownOption } from '../../protocol.ts';
import { createDomElement, createIcon, createUniqueDomId } from '../dom.ts';
import type { OptionGroup } from '../options.ts';

export interface PickList {
  readonly panel: HTMLElement;
  /** Shows a sentence instead, such as "no results". */
  showNotice(words: string): void;
  show(groups: readonly OptionGroup[], chosen: readonly string[]): void;
  markOption(at: number): void;
  readonly options: readonly ShownOption[];
  readonly marked: number;
}

export function createPickList(
  input: HTMLInputElement,
  given: { readonly isMulti: boolean; readonly pick: (option: ShownOption) => void },
): PickList {
  const listId = createUniqueDomId('options');
  const list = createDomElement('div', {
    role: 'listbox',
    id: listId,
    'aria-multiselectable': given.isMulti ? 'true' : undefined,
    'aria-label': 'Options',
  });
  const words = createDomElement('p', { class: 'pick-words', role: 'status' });
  const panel = createDomElement('div', { class: 'popup pick-panel' }, list, words);
  input.setAttribute('aria-controls', listId);
  let options: readonly ShownOption[] = [];
  let nodes: readonly HTMLElement[] = [];
  let marked = -1;

  const drawOption = (option: ShownOption, isChosen: boolean) =>
    createDomElement(
      'div',
      {
        class: 'option',
        role: 'option',
        id: createUniqueDomId('option'),
        'aria-selected': String(isChosen),
        // Keeps the focus in the field.
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => given.pick(option),
      },
      createDomElement(
        'span',
        { class: 'menu-words' },
        createDomElement('span', { class: 'menu-label' }, option.text),
        option.description !== undefined &&
          createDomElement('span', { class: 'menu-more' }, option.description),
      ),
      createIcon('check'),
    );
  const mark = (at: number) => {
    nodes[marked]?.classList.remove('marked');
    marked = at;
    const node = nodes[at];
    node?.classList.add('marked');
    node?.scrollIntoView({ block: 'nearest' });
    if (node) input.setAttribute('aria-activedescendant', node.id);
    else input.removeAttribute('aria-activedescendant');
  };
  return {
    panel,
    get options() {
      return options;
    },
    get marked() {
      return marked;
    },
    markOption: mark,
    showNotice(text) {
      words.textContent = text;
      words.hidden = text === '';
    },
    show(groups, chosen) {
      const drawn = groups.map(({ label, options: inGroup }) => {
        const own = inGroup.map((option) => drawOption(option, chosen.includes(option.value)));
        const head =
          label === undefined ? undefined : createDomElement('div', { class: 'option-group' }, label);
        const group = label === undefined ? {} : { role: 'group', 'aria-label': label };
        return { own, node: createDomElement('div', group, head, ...own) };
      });
      options = groups.flatMap((group) => group.options);
      nodes = drawn.flatMap(({ own }) => own);
      list.replaceChildren(...drawn.map(({ node }) => node));
      marked = -1;
      mark(options.findIndex(({ value }) => chosen.includes(value)));
    },
  };
}
