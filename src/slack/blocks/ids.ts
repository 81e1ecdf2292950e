/** Every id that travels to Slack and comes back with a press. */

export const COMMAND = '/gig';

export const actionIds = {
  details: 'card_details',
  claim: 'card_claim',
  release: 'card_release',
  /** Overflow of a card: skip, mute, copy link. */
  more: 'card_more',
  unskip: 'card_unskip',
  showMore: 'flood_show_more',
  unsubscribe: 'subscription_end',
  resultProjects: 'result_projects',
  resultProjectsBack: 'result_projects_back',
  resultsPage: 'results_page',
  resultsBack: 'results_page_back',
  unmute: 'mute_end',
  density: 'channel_density',
  /** A plain link button: acknowledged, nothing else. */
  open: 'open_link',
} as const;

export const shortcutIds = { lookUp: 'look_up_project' } as const;

/** Message metadata by which delivery finds its own posts again. */
export const POST_EVENT = 'gigdesk_post';
