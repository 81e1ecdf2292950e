/** A simulated proposal without any outcome yet. */
export const QUIET = {
  isViewed: false,
  isInterviewed: false,
  isHired: false,
  isWithdrawn: false,
  boostOutbid: false,
} as const;
