/** Every ID that goes to Slack and comes back with an action. */

export const SLASH_COMMAND = '/gig';

export const actionIds = {
  details: 'card_details',
  claimAnyway: 'claim_anyway',
  claim: 'card_claim',
  release: 'card_release',
  /** Overflow menu of a card: skip, mute, copy link. */
  more: 'card_more',
  unskip: 'card_unskip',
  /** In a card's details. */
  detailsBid: 'details_bid',
  detailsClaim: 'details_claim',
  detailsRelease: 'details_release',
  detailsShare: 'details_share',
  detailsLookUp: 'details_look_up',
  /** Below a lookup's answer. */
  lookupBid: 'lookup_bid',
  lookupClaim: 'lookup_claim',
  lookupShare: 'lookup_share',
  showMore: 'flood_show_more',
  showNewest: 'flood_show_newest',
  unsubscribe: 'subscription_end',
  resume: 'channel_resume',
  /** Subscribes with a large backfill. */
  backfillConfirm: 'backfill_confirm',
  profileFeedEnd: 'profile_feed_end',
  resultProjects: 'result_projects',
  resultProjectsBack: 'result_projects_back',
  resultBid: 'result_bid',
  resultDetails: 'result_details',
  resultsPage: 'results_page',
  resultsBack: 'results_page_back',
  unmute: 'mute_end',
  /** On cards, and on bids that were refused, skipped or never answered: opens the bid modal. */
  bid: 'bid_open',
  bidCheck: 'bid_check',
  /** In the bid modal. */
  bidSetup: 'bid_setup',
  bidWhen: 'bid_when',
  bidMoreSpace: 'bid_more_room',
  bidLookUp: 'bid_look_up',
  bidReload: 'bid_reload',
  bidReopen: 'bid_reopen',
  bidStartOver: 'bid_afresh',
  bidUseLetter: 'bid_use_letter',
  bidSwapLetter: 'bid_swap_letter',
  jobApprove: 'job_approve',
  /** Opens everything that an approval sends, with Approve and Reject. */
  jobReview: 'job_review',
  jobReject: 'job_reject',
  /** After a rejection, or when nobody answered. */
  jobAskAgain: 'job_ask_again',
  /** Looks up a bid's price in connects, for one credit. */
  jobPrice: 'job_price',
  jobRefresh: 'job_refresh',
  /** On a bid or an approval that waits before it is sent. */
  heldApprove: 'held_approve',
  heldReject: 'held_reject',
  heldCancel: 'held_cancel',
  /** Everything that a held bid sends. */
  heldReview: 'held_review',
  homeHeldReview: 'home_held_review',
  proposalShow: 'proposal_show',
  /** Opens a proposal in a modal. */
  proposalOpen: 'proposal_open',
  proposalsPage: 'proposals_page',
  proposalsBack: 'proposals_page_back',
  /** Another search, after one without results. */
  proposalsTry: 'proposals_try',
  /** The field by which statistics are grouped. */
  statsDimension: 'stats_dimension',
  /** The funnel, by filter or by channel; a menu of its periods. */
  statsFunnel: 'stats_funnel',
  statsFunnelDays: 'stats_funnel_days',
  setupsPage: 'setups_page',
  setupsBack: 'setups_page_back',
  budgetConfirm: 'budget_confirm',
  /** Opens the form with a channel's budget. */
  budgetSet: 'budget_set',
  /** The channel's charges, and their pages. */
  ledgerShow: 'ledger_show',
  ledgerPage: 'ledger_page',
  ledgerBack: 'ledger_page_back',
  accessAsk: 'access_ask',
  askToApprove: 'ask_to_approve',
  accessGrant: 'access_grant',
  accessDecline: 'access_decline',
  /** In the access modal: for this channel or everywhere. */
  accessScope: 'access_scope',
  /** In the window with a channel's settings: each opens a form. The last adds a row for a mention rule. */
  settingsUpdates: 'settings_updates',
  settingsQuiet: 'settings_quiet',
  settingsMentions: 'settings_mentions',
  settingsCards: 'settings_cards',
  settingsBudget: 'settings_budget',
  settingsMention: 'settings_mention',
  /** Personal follow: what the list and its messages offer. */
  followEnd: 'follow_end',
  followMute: 'follow_mute',
  followMuteTomorrow: 'follow_mute_tomorrow',
  followUnmute: 'follow_unmute',
  followDetails: 'follow_details',
  followClaim: 'follow_claim',
  /** In the settings window: opens the form with response times. */
  responseSettings: 'response_settings',
  /** Below a stage of the response clock. */
  responseExtend: 'response_extend',
  responseSnooze: 'response_snooze',
  responseClaim: 'response_claim',
  /** Response times, by one dimension; the second is a menu. */
  responseTimes: 'response_times',
  responseDimension: 'response_dimension',
  /** In the settings window: opens the rules for spending. */
  spendingRules: 'spending_rules',
  auditPage: 'audit_page',
  auditBack: 'audit_page_back',
  /** Opens the template builder from a draft or a template. */
  templateOpen: 'template_open',
  templateFrom: 'template_from',
  templateDiscard: 'template_discard',
  /** In the builder: choices that change which fields, steps and answers show. */
  templateChoice: 'template_choice',
  templateStep: 'template_step',
  templateMoreSpace: 'template_room',
  templateSenders: 'template_senders',
  templateAnswerAdd: 'template_answer_add',
  templateAnswerMenu: 'template_answer_menu',
  templateCreateAgain: 'template_check',
  invitationClaim: 'invitation_claim',
  invitationRelease: 'invitation_release',
  invitationDetails: 'invitation_details',
  invitationBid: 'invitation_bid',
  /** In a digest: opens the details of an invitation of its channel. */
  invitationOpen: 'invitation_open',
  /** In an invitation's details: buys its project's, for one credit. */
  invitationLookUp: 'invitation_look_up',
  /** On the App Home: the same actions as the buttons of cards, lists and commands. */
  homeReview: 'home_review',
  homeRelease: 'home_release',
  homeBidCheck: 'home_bid_check',
  homeBidResume: 'home_bid_resume',
  homeBidDiscard: 'home_bid_discard',
  homeTemplateResume: 'home_template_resume',
  homeTemplateDiscard: 'home_template_discard',
  homeUnsubscribe: 'home_unsubscribe',
  homeEdit: 'home_edit',
  homeSetUp: 'home_set_up',
  homeFeedEnd: 'home_feed_end',
  homeBudget: 'home_budget',
  homePause: 'home_pause',
  homeResume: 'home_resume',
  homeSettings: 'home_settings',
  homeDigest: 'home_digest',
  homeAccountConnect: 'home_account_connect',
  homeAccountRemove: 'home_account_remove',
  /** In messages: opens the form for the marketplace account's token. */
  accountConnect: 'account_connect',
  /** For the channel where it's pressed, on the welcome and in the menu. The second adds a subscription. */
  setupOpen: 'setup_open',
  setupAdd: 'setup_add',
  /** In `/gig list`: opens the form with a subscription's rules. */
  setupEdit: 'setup_edit',
  /** In the setup form. The second preview costs credits. */
  setupPreview: 'setup_preview',
  setupPreviewBuy: 'setup_preview_buy',
  setupBack: 'setup_back',
  /** Each does what the command of the name does. */
  runFollow: 'run_follow',
  runList: 'run_list',
  runSettings: 'run_settings',
  runStats: 'run_stats',
  runStatus: 'run_status',
  runHelp: 'run_help',
  runAudit: 'run_audit',
  runBudget: 'run_budget',
  runDigest: 'run_digest',
  runJob: 'run_job',
  runLookup: 'run_lookup',
  runProposals: 'run_proposals',
  runSetups: 'run_setups',
  runTemplate: 'run_template',
  /** In the settings window: opens the address for hints. */
  hints: 'hints',
  hintsRotate: 'hints_rotate',
  /** A plain link button: acknowledged only. */
  openLink: 'open_link',
} as const;

export const viewIds = {
  bid: 'bid',
  /** A view without a submit button: loading, an outcome, an error. */
  notice: 'notice',
  heldReview: 'held_review',
  jobReview: 'job_review',
  jobReject: 'job_reject',
  access: 'access',
  settingsUpdates: 'settings_updates',
  settingsQuiet: 'settings_quiet',
  settingsMentions: 'settings_mentions',
  settingsCards: 'settings_cards',
  settingsBudget: 'settings_budget',
  response: 'response',
  spendingRules: 'spending_rules',
  cardSkip: 'card_skip',
  cardMute: 'card_mute',
  cardAssign: 'card_assign',
  /** The setup form's two steps. */
  setup: 'setup',
  setupReceive: 'setup_receive',
  cardShare: 'card_share',
  template: 'template',
  templateAnswer: 'template_answer',
  home: 'home',
  homeBudget: 'home_budget',
  /** The same form, opened in a channel. */
  budget: 'budget',
  /** The same as `jobReview` and `jobReject`, opened from the Home tab. */
  homeReview: 'home_review',
  homeReject: 'home_reject',
  account: 'account',
} as const;

export const shortcutIds = { lookUp: 'look_up_project' } as const;

/** Message metadata that lets delivery find its own posts again. */
export const POST_METADATA_EVENT_TYPE = 'gigdesk_post';
