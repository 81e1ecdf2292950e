/** Assigns proposals to a group in each dimension. Pure. */
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';

export const GROUP_DIMENSIONS = ['template', 'variant', 'boost', 'position', 'profile', 'weekday'] as const;
export type GroupDimension = (typeof GROUP_DIMENSIONS)[number];

interface Named {
  readonly id: number;
  /** Untrusted external text. */
  readonly name?: string | undefined;
}

/** Whole numbers from `from` to `to`, both included; without `to`, no upper bound. */
export interface NumberBand {
  readonly from: number;
  readonly to?: number;
}

export type GroupKey =
  /** Without a template: written by hand, as far as the marketplace says. */
  | { readonly dimension: 'template'; readonly template?: Named }
  /**
   * Of one template, so its variants are compared only with each other. The variant's name is untrusted
   * external text.
   */
  | { readonly dimension: 'variant'; readonly template?: Named; readonly variant: string }
  /** In connects; 0 to 0 means none. */
  | { readonly dimension: 'boost'; readonly band: NumberBand }
  /** Rank among the applicants at submission, from 1. */
  | { readonly dimension: 'position'; readonly band: NumberBand }
  | { readonly dimension: 'profile'; readonly profile: Named }
  /** 1 is Monday, 7 is Sunday. */
  | { readonly dimension: 'weekday'; readonly weekday: number };

export interface GroupMembership {
  /** Unique within its dimension. */
  readonly id: string;
  /** Groups with the same value are compared with one another. */
  readonly within: string;
  /** For groups with a natural order, smaller first; others are ordered by size. */
  readonly rank?: number;
  readonly key: GroupKey;
}

/** Boosts are sold by auction, so most are small: each band is about twice as wide as the previous one. */
const BOOST_BANDS: readonly NumberBand[] = [
  { from: 0, to: 0 },
  { from: 1, to: 10 },
  { from: 11, to: 20 },
  { from: 21, to: 40 },
  { from: 41 },
];

const POSITION_BANDS: readonly NumberBand[] = [
  { from: 0, to: 5 },
  { from: 6, to: 10 },
  { from: 11, to: 20 },
  { from: 21, to: 50 },
  { from: 51 },
];

function banded(dimension: 'boost' | 'position', value: number, bands: readonly NumberBand[]) {
  const rank = bands.findIndex(({ to }) => to === undefined || value <= to);
  const band = bands[rank];
  return band && { id: String(rank), within: '', rank, key: { dimension, band } };
}

/**
 * @param weekday of the submission, used by the weekday dimension
 * @returns undefined when the marketplace doesn't send it: the proposal is in no group of that dimension
 */
export function assignToGroup(
  dimension: GroupDimension,
  { template, variant, boost, position, profile }: ProposalWithoutTexts,
  weekday: number,
): GroupMembership | undefined {
  const templateId = String(template?.id ?? '');
  switch (dimension) {
    case 'template':
      return { id: templateId, within: '', key: { dimension, template } };
    case 'variant':
      if (variant === undefined) return undefined;
      return { id: `${templateId}:${variant}`, within: templateId, key: { dimension, variant, template } };
    case 'boost':
      return banded(dimension, boost ?? 0, BOOST_BANDS);
    case 'position':
      return position === undefined ? undefined : banded(dimension, position, POSITION_BANDS);
    case 'profile': {
      const named = profile && { id: profile.id, name: profile.label };
      return named && { id: String(named.id), within: '', key: { dimension, profile: named } };
    }
    case 'weekday':
      return { id: String(weekday), within: '', rank: weekday, key: { dimension, weekday } };
  }
}
