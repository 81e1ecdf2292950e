/** Of the proposals that the simulated marketplace has: nothing came of this one yet. */
export const QUIET = {
  isViewed: false,
  isInterviewed: false,
  isHired: false,
  isWithdrawn: false,
  boostOutbid: false,
} as const;
