/** The bid modal's choice of a setup, with facts about the chosen one. Pure. */
import type { InputBlock, KnownBlock } from '@slack/types';
import { findSetupWarnings, sortSetups } from '../../bidding/setup-warnings.ts';
import type { FilterId, SetupId } from '../../ids.ts';
import type { BiddingSetup } from '../../marketplace/schema.ts';
import type { SetupList } from '../../setups/setups.ts';
import { joinFacts, joinLines, plainTextObject, plainTextSection } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { selectInput } from '../kit/inputs.ts';
import { slackLimits } from '../kit/limits.ts';
import { clipToJsonBytes } from '../kit/long-text.ts';
import { cleanLine, clipText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { bidFieldBlockId } from './bid-fields.ts';
import { type BidFormFacts, chosenSetup } from './bid-form-facts.ts';

/** In bytes: 100 setups must leave room for the user's texts. */
const HEAVIEST_OPTION = 100;

/** `paused · daily limit used up (20 of 20)`; may be empty. Plain text. */
function optionNotes(setup: BiddingSetup): string {
  const { status, limitUsedUp, noTemplate } = findSetupWarnings(setup);
  return joinFacts(
    status === undefined ? undefined : clipText(cleanLine(status), 30) || 'unknown status',
    limitUsedUp &&
      `daily limit reached (${formatNumber(limitUsedUp.sent)} of ${formatNumber(limitUsedUp.limit)})`,
    noTemplate && 'no template',
  );
}

/** At most as many as a menu can have, always including the chosen one. */
function offered(setups: readonly BiddingSetup[], chosen: SetupId | undefined): readonly BiddingSetup[] {
  const all = sortSetups(setups);
  const first = all.slice(0, slackLimits.selectOptions.max);
  const missing = all.find(({ id }) => id === chosen);
  return missing && !first.includes(missing) ? [...first.slice(0, -1), missing] : first;
}

const OTHERS = 'To use one, type /gig bid <link> <setup id>.';

function setupMenu({ draft, setups }: BidFormFacts): InputBlock {
  const { setup: chosen } = draft.form;
  const choices = offered(setups.setups, chosen);
  const more = setups.setups.length - choices.length;
  const notes = new Map(choices.map((each) => [String(each.id), optionNotes(each)]));
  const block = selectInput({
    id: bidFieldBlockId('setup', draft.afresh),
    label: 'Bidding setup',
    dispatch: actionIds.bidSetup,
    placeholder: 'Choose a setup',
    choices: choices.map(({ id, name }) => ({
      label: clipToJsonBytes(cleanLine(name), HEAVIEST_OPTION) || `Setup ${id}`,
      value: String(id),
    })),
    initial: chosen === undefined ? undefined : String(chosen),
    hint: more > 0 ? `Not listed: ${formatNumber(more)} more. ${OTHERS}` : undefined,
  });
  return withDescriptions(block, notes);
}

function withDescriptions(block: InputBlock, notes: ReadonlyMap<string, string>): InputBlock {
  const { element } = block;
  if (element.type !== 'static_select') return block;
  const describe = <T extends { value?: string }>(option: T): T => {
    const words = clipToJsonBytes(
      clipText(notes.get(option.value ?? '') ?? '', slackLimits.optionDescription.max),
      HEAVIEST_OPTION,
    );
    return words ? { ...option, description: plainTextObject(words) } : option;
  };
  const { options = [], initial_option: initial } = element;
  return {
    ...block,
    element: { ...element, options: options.map(describe), initial_option: initial && describe(initial) },
  };
}

function filterText({ setups }: SetupList, filter: FilterId | undefined): string {
  const name = cleanLine(setups.find((each) => each.filter?.id === filter)?.filter?.name ?? '');
  return name ? `filter “${clipText(name, 80)}”` : 'this filter';
}

function reasonText({ draft, setups }: BidFormFacts): string | undefined {
  const { suggested, form } = draft;
  if (!suggested || suggested.setup !== form.setup) return undefined;
  switch (suggested.reason) {
    case 'last-used':
      return `Chosen because it was last used for ${filterText(setups, suggested.filter)} in this channel.`;
    case 'filter':
      return `Chosen because it bids for ${filterText(setups, suggested.filter)}, which found this project.`;
    case 'most-left':
      return (
        'Chosen because it has the most bids left today of the setups for ' +
        `${filterText(setups, suggested.filter)}.`
      );
    case 'words':
      return (
        'Chosen because its name, filter or template mentions ' +
        `${clipText((suggested.words ?? []).join(', '), 200)}.`
      );
    case 'only-one':
      return 'Chosen because it is the only active setup with bids left today.';
  }
}

/** `Filter: React · Template: Shop · Schedule: Mon–Fri 9–17 · 3 of 20 sent today`. Plain text. */
function setupFacts(setup: BiddingSetup): string {
  const { filter, template, schedule, scheduleLabel, timezone } = setup;
  const { delayMinutes, sentToday, dailyLimit } = setup;
  const words = (text: string | undefined, max: number): string => clipText(cleanLine(text ?? ''), max);
  const when = words(scheduleLabel ?? schedule, 120);
  const zone = words(timezone, 60);
  const limit = dailyLimit === undefined ? '' : ` of ${formatNumber(dailyLimit)}`;
  return joinFacts(
    filter && `Filter: ${words(filter.name, 100) || `#${filter.id}`}`,
    template && `Template: ${words(template.name, 100) || `#${template.id}`}`,
    when && `Schedule: ${when}${zone ? ` (${zone})` : ''}`,
    delayMinutes ? `waits ${formatCount(delayMinutes, 'minute')} before bidding` : undefined,
    sentToday === undefined ? undefined : `${formatNumber(sentToday)}${limit} sent today`,
  );
}

const SENT_BY_FREELANCER =
  "This setup's template is sent by a freelancer. " +
  "If it is a copy of an agency's template, it can't be used for auto bidding.";
const TEMPLATE_GONE =
  "The marketplace can't find this setup's template. " +
  'If it was deleted, write a cover letter or choose another setup.';

/** The person can still try. */
function warningBlocks(setup: BiddingSetup, { template }: BidFormFacts): KnownBlock[] {
  const { status, limitUsedUp, noTemplate } = findSetupWarnings(setup);
  const isByFreelancer =
    template?.kind === 'read' && template.template.sender.type?.toLowerCase() === 'freelancer';
  const each = [
    status === undefined
      ? undefined
      : `This setup's status is “${safeLine(status, 30)}”, not active. The marketplace may not send the bid.`,
    limitUsedUp &&
      `This setup has hit its daily limit (${formatNumber(limitUsedUp.sent)} of ` +
        `${formatNumber(limitUsedUp.limit)}). The marketplace may skip the bid.`,
    noTemplate && 'This setup has no template, so the bid needs its own cover letter.',
    template?.kind === 'not-found' && TEMPLATE_GONE,
    isByFreelancer && SENT_BY_FREELANCER,
  ];
  return each.flatMap((words) => (words ? [alertBlock('warning', words)] : []));
}

/** The menu, and facts about the chosen setup below it. */
export function setupBlocks(facts: BidFormFacts): KnownBlock[] {
  const { setup: chosen } = facts.draft.form;
  const setup = chosenSetup(facts);
  const isGone = chosen !== undefined && !setup;
  const setupText = setup && joinLines(reasonText(facts), setupFacts(setup));
  return [
    setupMenu(facts),
    ...(isGone ? [alertBlock('warning', `Setup ${chosen} no longer exists. Choose another.`)] : []),
    ...(setupText ? [plainTextSection(setupText)] : []),
    ...(setup ? warningBlocks(setup, facts) : []),
  ];
}
