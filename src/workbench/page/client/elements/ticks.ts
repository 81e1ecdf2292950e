/** Radio buttons and checkboxes. */
import type { ShownElement, ShownOption } from '../../protocol.ts';
import { make, newId } from '../dom.ts';
import { toggle } from '../options.ts';
import { valuesIn } from '../typed.ts';
import { marks, type Place } from './place.ts';

export function drawTicks(element: ShownElement, place: Place): HTMLElement {
  const isRadio = element.type === 'radio';
  const name = newId('ticks');
  let chosen = valuesIn(element, place.surface.typed);
  const { 'aria-required': required, ...shared } = marks(element, place);
  const group = make('div', {
    ...shared,
    class: 'ticks',
    role: isRadio ? 'radiogroup' : 'group',
    'aria-required': isRadio ? required : undefined,
  });

  const show = () => {
    for (const input of group.querySelectorAll('input')) input.checked = chosen.includes(input.value);
  };
  const change = async (value: string) => {
    const before = chosen;
    chosen = isRadio ? [value] : toggle(chosen, value);
    const now = isRadio ? value : chosen;
    if (!place.sends) return place.surface.fill(element, now);
    if (await place.surface.choose(element, now, group)) place.surface.fill(element, now);
    else chosen = before;
    show();
  };
  const draw = ({ text, value, description }: ShownOption) => {
    const moreId = newId('more');
    const input = make('input', {
      type: isRadio ? 'radio' : 'checkbox',
      name,
      value,
      'aria-describedby': description === undefined ? undefined : moreId,
      onchange: () => void change(value),
    });
    return make(
      'label',
      { class: 'tick' },
      input,
      make(
        'span',
        { class: 'tick-words' },
        make('span', {}, text),
        description !== undefined && make('span', { class: 'tick-more', id: moreId }, description),
      ),
    );
  };
  group.append(...(element.options ?? []).map(draw));
  show();
  return group;
}
