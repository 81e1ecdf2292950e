/** Acknowledgements that keep a submitted view open and say why nothing was done. */
import type { ViewResponseAction } from '@slack/bolt';
import { noticeView } from '../kit/block-builders.ts';
import type { PartialSubmissionPayload } from './payloads.ts';

/** The block IDs that can show an error. */
export function inputsOf({
  view,
}: {
  readonly view: Pick<PartialSubmissionPayload['view'], 'blocks'>;
}): readonly string[] {
  return view.blocks.map((block) => block.block_id);
}

/**
 * Shows the error at an input, or else in a view on top, so that nothing typed is lost. Slack stacks at most
 * three views: a view that is already stacked is replaced.
 */
export function explainInView(
  submitted: Pick<PartialSubmissionPayload, 'view'>,
  title: string,
  words: string,
): ViewResponseAction {
  const [place] = inputsOf(submitted);
  if (place !== undefined) return errorAt(place, words);
  const { id, root_view_id: root } = submitted.view;
  const isAlone = root === undefined || root === id;
  return { response_action: isAlone ? 'push' : 'update', view: noticeView(title, words) };
}

export function errorAt(blockId: string, words: string): ViewResponseAction {
  return { response_action: 'errors', errors: Object.fromEntries([[blockId, words]]) };
}
