/**
 * The address for hints, in a form that the settings window opens: how to call it, the last hint, and a new
 * secret. It belongs to the workspace, not to a channel, so the role everywhere decides. The secret is shown
 * in a modal alone: never in a message, a log line or an error.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import type { NamedFilter } from '../../feed/feed.ts';
import { type HintAddress, type HintServer, type HintSummary, HOOKS_PATH } from '../../hints/hints.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
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

function codeBlock(text: string): string {
  return `\`\`\`${escapeMrkdwn(text)}\`\`\``;
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
export function hintsModal({
  address,
  server,
  summary,
  filter,
  note,
}: {
  /** For the example; any filter when absent. */
  readonly filter?: NamedFilter | undefined;
  readonly address: HintAddress;
  readonly server: HintServer;
  readonly summary: HintSummary;
  readonly note?: 'rotated' | 'outdated';
}): ModalView {
  const example = filter?.id ?? 7;
  const base = server.publicUrl ?? `http://YOUR-SERVER${server.port > 0 ? `:${server.port}` : ''}`;
  const url = `${base}${HOOKS_PATH}${address.secret.reveal()}`;
  const view = noticeView('Hints', [
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

async function drawHints({ services, person }: ActionCall, note?: 'rotated' | 'outdated') {
  const { hints, feed } = services;
  const [filter] = await feed.listStoredFilters();
  const address = await hints.openAddress(person.user);
  const summary = await hints.readSummary();
  return hintsModal({ address, server: hints.server, summary, filter, note });
}

async function openHints(call: ActionCall): Promise<void> {
  await call.services.slack.pushView(call.triggerId, await drawHints(call));
}

async function rotateSecret(call: ActionCall): Promise<void> {
  const { services, person, value, view } = call;
  const wasRotated = await services.hints.rotateSecret(Number(value), person.user);
  const next = await drawHints(call, wasRotated ? 'rotated' : 'outdated');
  const isShown = view && (await updateViewIfOpen(services, view.id, next));
  if (!isShown && wasRotated)
    await call.answer({
      text: 'The secret for hints is rotated. The new address is in `/gig settings`, *Hints*.',
    });
}

export const hintsActions: readonly ActionRoute[] = [
  { id: actionIds.hints, needs: 'admin', run: openHints },
  { id: actionIds.hintsRotate, needs: 'admin', hasSideEffects: true, run: rotateSecret },
];
