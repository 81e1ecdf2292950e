/** The form with the address for hints: how to call it, the last hint, and a new secret. Pure. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { NamedFilter } from '../../feed/feed.ts';
import type { HintAddress, HintServer, HintSummary } from '../../hints/hints.ts';
import { HOOKS_PATH } from '../../hints/hints.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  contextBlock,
  joinLines,
  noticeView,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { escapeMrkdwn, formatDateCapitalized } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { filterName } from '../kit/words/filters.ts';

export const HINTS_TITLE = 'Hints';

interface HintsModalFacts {
  /** For the example; any filter when absent. */
  readonly filter?: NamedFilter | undefined;
  readonly address: HintAddress;
  readonly server: HintServer;
  readonly summary: HintSummary;
  /** What just happened with the secret. */
  readonly note?: 'rotated' | 'outdated';
}

function codeBlock(text: string): string {
  return `\`\`\`${escapeMrkdwn(text)}\`\`\``;
}

function baseOf({ publicUrl, port }: HintServer): string {
  return publicUrl ?? `http://YOUR-SERVER${port > 0 ? `:${port}` : ''}`;
}

const NOTES: Readonly<Record<'rotated' | 'outdated', KnownBlock>> = {
  rotated: alertBlock('success', 'This is the new address. The old one stopped working.'),
  outdated: alertBlock('info', 'Another admin rotated the secret meanwhile. This is the current address.'),
};

function lastHintText({ today, last }: HintSummary): string {
  if (!last) return '*Last hint:* none yet';
  const ignored = last.wasFollowed ? '' : ', which no channel follows now';
  const filter = filterName({ id: last.filter });
  return joinLines(
    `*Last hint:* ${formatDateCapitalized(last.at)}, for ${filter}${ignored}`,
    `*Today:* ${formatCount(today, 'hint')}`,
  );
}

/** For admins of the workspace alone: it has the secret. */
export function hintsModal({ address, server, summary, filter, note }: HintsModalFacts): ModalView {
  const example = filter?.id ?? 7;
  const url = `${baseOf(server)}${HOOKS_PATH}${address.secret.reveal()}`;
  const view = noticeView(HINTS_TITLE, [
    ...(note ? [NOTES[note]] : []),
    sectionBlock(
      'Does another tool see a new project first? Let it call this address. Gigdesk then reads that filter ' +
        'next, at no extra credits.',
    ),
    sectionBlock(joinLines('*Address*', codeBlock(url))),
    ...(server.publicUrl === undefined
      ? [
          contextBlock(
            "Replace `YOUR-SERVER` with your server's address. If a proxy is in front of Gigdesk, let it " +
              `forward \`${HOOKS_PATH}\`.`,
          ),
        ]
      : []),
    sectionBlock(
      joinLines(
        `*Example*, for ${filter ? filterName(filter) : 'filter 7'}`,
        codeBlock(`curl -X POST '${url}?filter=${example}'`),
        'Or send JSON with the ID as `filter`, `filter_id` or `filterId`, anywhere in it. ' +
          '`/gig list` shows the IDs.',
      ),
    ),
    sectionBlock(lastHintText(summary)),
    actionsBlock([
      buttonElement({
        id: actionIds.hintsRotate,
        label: 'Rotate Secret',
        value: String(address.version),
        confirm: confirmDialog(
          'Rotate the secret?',
          'The current address stops working at once. Every tool that uses it needs the new one.',
          'Rotate',
        ),
      }),
    ]),
    contextBlock('Keep the address secret: anyone who has it can make Gigdesk read a filter sooner.'),
  ]);
  // It lies on top of the settings window.
  return { ...view, close: plainTextObject('Back') };
}
