/** The menu below statistics that compares them by another dimension. Pure. */
import type { StaticSelect } from '@slack/types';
import { menuOption, plainTextObject } from './block-builders.ts';

interface Compared<D> {
  readonly days: number;
  readonly dimension: D;
}

/** Each option also names the period. @param labels of the dimensions, to follow “By” */
export function createCompareMenu<D extends string>(
  id: string,
  dimensions: readonly D[],
  labels: Readonly<Record<D, string>>,
  mostDays: number,
) {
  const write = ({ days, dimension }: Compared<D>) => `${days}:${dimension}`;
  return {
    write,
    read(text: string): Compared<D> | undefined {
      const [, digits, name] = /^(\d{1,3}):([a-z]+)$/u.exec(text) ?? [];
      const days = Number(digits);
      const dimension = dimensions.find((each) => each === name);
      return dimension && days >= 1 && days <= mostDays ? { days, dimension } : undefined;
    },
    draw({ days, dimension: shown }: Compared<D>): StaticSelect {
      const choice = (dimension: D) => menuOption(`By ${labels[dimension]}`, write({ days, dimension }));
      return {
        type: 'static_select',
        action_id: id,
        placeholder: plainTextObject('Compare by'),
        options: dimensions.map(choice),
        initial_option: choice(shown),
      };
    },
  };
}
