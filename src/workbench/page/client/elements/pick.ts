/** Selects of all kinds: a field that opens a list, narrows it as one types, and takes one option or several. */
import type { ShownElement, ShownOption } from '../../protocol.ts';
import { icon, make } from '../dom.ts';
import { groupsOf, moveMark, toggle } from '../options.ts';
import { createPopup } from '../popup.ts';
import { valuesIn } from '../typed.ts';
import { offersOf } from './offers.ts';
import { createPickList } from './pick-list.ts';
import { marks, type Place } from './place.ts';

function takesSeveral(element: ShownElement): boolean {
  return element.type.startsWith('multi-');
}

export function drawPick(element: ShownElement, place: Place): HTMLElement {
  const { surface } = place;
  const isMulti = takesSeveral(element);
  const offers = offersOf(element, surface);
  const names = new Map(
    groupsOf(element)
      .flatMap(({ options }) => options)
      .map((each) => [each.value, each.text]),
  );
  let chosen = valuesIn(element, surface.typed);
  const { 'data-block': block, 'data-action': action, ...labels } = marks(element, place);
  const input = make('input', {
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
  const chips = make('span', { class: 'chips' });
  const clear = make(
    'button',
    { type: 'button', class: 'pick-clear', 'aria-label': 'Clear', tabindex: -1 },
    icon('close'),
  );
  const box = make('div', { class: 'control pick-box' }, chips, input, clear, icon('down'));
  const list = createPickList(input, { isMulti, pick: (option) => void pick(option) });
  const popup = createPopup(box, list.panel, {
    align: 'start',
    isWide: true,
    onClose: () => {
      input.setAttribute('aria-expanded', 'false');
      list.mark(-1);
      showChosen();
    },
  });

  const showChosen = () => {
    const nameOf = (value: string) => names.get(value) ?? surface.nameOf(element, value);
    input.value = isMulti ? '' : chosen.map(nameOf).join('');
    chips.replaceChildren(...(isMulti ? chosen.map((value) => drawChip(value, nameOf(value))) : []));
    clear.hidden = isMulti || !place.canClear || chosen.length === 0;
  };
  const drawChip = (value: string, name: string) =>
    make(
      'span',
      { class: 'chip' },
      name,
      make(
        'button',
        {
          type: 'button',
          'aria-label': `Remove ${name}`,
          onclick: () => void settle(toggle(chosen, value)).then(() => input.focus()),
        },
        icon('close'),
      ),
    );
  const settle = async (values: readonly string[]) => {
    const before = chosen;
    chosen = values;
    showChosen();
    const value = isMulti ? values : (values[0] ?? null);
    if (!place.sends) surface.fill(element, value);
    else if (await surface.choose(element, value, box)) surface.fill(element, value);
    else chosen = before;
    showChosen();
  };
  const fullWords = () =>
    isMulti && chosen.length === element.maxSelected ? `You can choose up to ${chosen.length}.` : '';
  const search = (query: string) =>
    offers(query, (offered) => {
      const isWords = typeof offered === 'string';
      list.say(isWords ? offered : fullWords());
      list.show(isWords ? [] : offered, chosen);
      if (!isWords && query !== '' && list.marked === -1) list.mark(0);
      popup.place();
    });
  const open = (query: string) => {
    popup.open();
    input.setAttribute('aria-expanded', 'true');
    search(query);
  };
  const pick = async (option: ShownOption) => {
    surface.keepName(element, option.value, option.text);
    if (isMulti) {
      const next = toggle(chosen, option.value, element.maxSelected);
      await settle(next);
      if (popup.isOpen) search('');
    } else {
      popup.close();
      await settle([option.value]);
    }
  };

  const arrow = (by: number) => {
    if (popup.isOpen) list.mark(moveMark(list.marked, by, list.options.length));
    else open('');
  };
  const enter = (event: Event) => {
    const option = list.options[list.marked];
    // Never the form: whoever presses Enter at a menu means the menu.
    event.preventDefault();
    if (!popup.isOpen) open('');
    else if (option) void pick(option);
  };
  const closeList = (event: Event) => {
    if (!popup.isOpen) return;
    // The modal below stays open.
    event.preventDefault();
    event.stopPropagation();
    popup.close();
    input.select();
  };
  const backspace = () => {
    const last = chosen.at(-1);
    if (isMulti && input.value === '' && last !== undefined) void settle(toggle(chosen, last));
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
  return make('div', { class: 'pick', 'data-block': block, 'data-action': action }, box, list.panel);
}
