import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';

/** Whether this is the form of a bid. */
export function isForm(view: SlackView | undefined): view is SlackView {
  return view?.submit === 'Send Bid';
}
