/**
 * Selects of all kinds: a field with a list that filters while the person types. Takes one or more options.
 */
import type { ShownElement, ShownOption } from '../../protocol.ts';
import { createDomElement, createIcon } from '../dom.ts';
import { listOptionGroups, nextMarkedIndex, toggleOption } from '../options.ts';
import { createPopup } from '../popup.ts';
import { currentElementValues } from '../unsent-input.ts';
import { controlAttributes, type ElementContext } from './element-context.ts';
import { createOptionSource } from './option-source.ts';
import { createPickList } from './pick-list.ts';

function takesSeveral(element: ShownElement): boolean {
  return element.type.startsWith('multi-');
}

export function drawSelect(element: ShownElement, place: ElementContext): HTMLElement {
  const { surface } = place;
  const isMulti = takesSeveral(element);
  const offers = createOptionSource(element, surface);
  const names = new Map(
    listOptionGroups(element)
      .flatMap(({ options }) => options)
      .map((each) => [each.value, each.text]),
  );
  let chosen = currentElementValues(element, surface.typed);
  const { 'data-block': block, 'data-action': action, ...labels } = controlAttributes(element, place);
  const input = createDomElement('input', {
    ...labels,
    class: 'pick-input',
    type: 'text',
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: element.placeholder ?? 'Choose',
  });
  const chips = createDomElement('span', { class: 'chips' });
  const clear = createDomElement(
    'button',
    { type: 'button', class: 'pick-clear', 'aria-label': 'Clear', tabindex: -1 },
    createIcon('close'),
  );
  const box = createDomElement('div', { class: 'control pick-box' }, chips, input, clear, createIcon('down'));
  const list = createPickList(input, { isMulti, pick: (option) => void pick(option) });
  const popup = createPopup(box, list.panel, {
    align: 'start',
    isWide: true,
    onClose: () => {
      input.setAttribute('aria-expanded', 'false');
      list.markOption(-1);
      showChosen();
    },
  });

  const showChosen = () => {
    const nameOf = (value: string) => names.get(value) ?? surface.optionName(element, value);
    input.value = isMulti ? '' : chosen.map(nameOf).join('');
    chips.replaceChildren(...(isMulti ? chosen.map((value) => drawChip(value, nameOf(value))) : []));
    clear.hidden = isMulti || !place.canClear || chosen.length === 0;
  };
  const drawChip = (value: string, name: string) =>
    createDomElement(
      'span',
      { class: 'chip' },
      name,
      createDomElement(
        'button',
        {
          type: 'button',
          'aria-label': `Remove ${name}`,
          onclick: () => void settle(toggleOption(chosen, value)).then(() => input.focus()),
        },
        createIcon('close'),
      ),
    );
  const settle = async (values: readonly string[]) => {
    const before = chosen;
    chosen = values;
    showChosen();
    const value = isMulti ? values : (values[0] ?? null);
    if (!place.sends) surface.setValue(element, value);
    else if (await surface.choose(element, value, box)) surface.setValue(element, value);
    else chosen = before;
    showChosen();
  };
  const fullWords = () =>
    isMulti && chosen.length === element.maxSelected ? `You can choose up to ${chosen.length}.` : '';
  const search = (query: string) =>
    offers(query, (offered) => {
      const isWords = typeof offered === 'string';
      list.showNotice(isWords ? offered : fullWords());
      list.show(isWords ? [] : offered, chosen);
      if (!isWords && query !== '' && list.marked === -1) list.markOption(0);
      popup.reposition();
    });
  const open = (query: string) => {
    popup.open();
    input.setAttribute('aria-expanded', 'true');
    search(query);
  };
  const pick = async (option: ShownOption) => {
    surface.rememberOptionName(element, option.value, option.text);
    if (isMulti) {
      const next = toggleOption(chosen, option.value, element.maxSelected);
      await settle(next);
      if (popup.isOpen) search('');
    } else {
      popup.close();
      await settle([option.value]);
    }
  };

  const arrow = (by: number) => {
    if (popup.isOpen) list.markOption(nextMarkedIndex(list.marked, by, list.options.length));
    else open('');
  };
  const enter = (event: Event) => {
    const option = list.options[list.marked];
    // Enter in the list must not submit the form.
    event.preventDefault();
    if (!popup.isOpen) open('');
    else if (option) void pick(option);
  };
  const closeList = (event: Event) => {
    if (!popup.isOpen) return;
    // Escape must not close the modal.
    event.preventDefault();
    event.stopPropagation();
    popup.close();
    input.select();
  };
  const backspace = () => {
    const last = chosen.at(-1);
    if (isMulti && input.value === '' && last !== undefined) void settle(toggleOption(chosen, last));
  };
  const keys: Readonly<Record<string, (event: Event) => void>> = {
    ArrowDown: (event) => {
      event.preventDefault();
      arrow(1);
    },
    ArrowUp: (event) => {
      event.preventDefault();
      arrow(-1);
    },
    Enter: enter,
    Escape: closeList,
    Backspace: backspace,
    Tab: () => popup.close(),
  };
  input.addEventListener('keydown', (event) => keys[event.key]?.(event));
  input.addEventListener('input', () => (popup.isOpen ? search(input.value) : open(input.value)));
  input.addEventListener('blur', () => popup.close());
  box.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('button')) return;
    input.focus();
    input.select();
    if (!popup.isOpen) open('');
  });
  clear.addEventListener('click', () => void settle([]).then(() => input.focus()));
  showChosen();
  return createDomElement(
    'div',
    { class: 'pick', 'data-block': block, 'data-action': action },
    box,
    list.panel,
  );
}
