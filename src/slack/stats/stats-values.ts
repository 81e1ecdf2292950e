/** Values of the statistics menu, written here and parsed back as untrusted input. Pure. */
import { GROUP_DIMENSIONS, type GroupDimension } from '../../statistics/groups.ts';

/** The longest period of statistics. */
export const MOST_STATS_DAYS = 365;

export interface StatsValue {
  readonly days: number;
  readonly dimension: GroupDimension;
}

export const statsValueCodec = {
  write: ({ days, dimension }: StatsValue): string => `${days}:${dimension}`,
  read(text: string): StatsValue | undefined {
    const [, digits, name] = /^(\d{1,3}):([a-z]+)$/u.exec(text) ?? [];
    const days = Number(digits);
    const dimension = GROUP_DIMENSIONS.find((each) => each === name);
    const isRight = days >= 1 && days <= MOST_STATS_DAYS;
    return dimension && isRight ? { days, dimension } : undefined;
  },
};
