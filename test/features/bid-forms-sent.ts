/** Forms and presses of `bid-play.ts`, with marks that link each request to its press. */
import { SECOND } from '../../src/clock.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';

/** A submitted form; its letter carries the number, which links a request to its press. */
export interface Sent {
  readonly number: number;
  /** When the submitted content was shown. */
  readonly shownAt: number;
  /** All of its content. */
  readonly words: string;
}

/** A press of Approve; `seen` is the button's value. */
export interface Approving {
  readonly job: number;
  readonly seen: number;
}

/** In characters. The soak's marketplace may have a lower limit. */
export const LONG_LETTER = 1_200;
const LETTER = /letter (\d+)(?: x+)?$/u;

/** The form number of a cover letter. */
export function numberOf(letter: unknown): number | undefined {
  const found = typeof letter === 'string' ? LETTER.exec(letter)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
}

/** When a view was shown: its hash begins with the time. */
export function shownAt({ hash }: SlackView): number {
  const [seconds = '0', micros = '0'] = hash.split('.');
  return Number(seconds) * SECOND + Math.floor(Number(micros) / 1_000);
}

export function isForm(view: SlackView | undefined): view is SlackView {
  return view?.submit === 'Send Bid';
}

/** A cover letter for the form of that number. */
export function letterOf(number: number, isLong: boolean): string {
  return `letter ${number}${isLong ? ` ${'x'.repeat(LONG_LETTER)}` : ''}`;
}

/** Whether any id may be the project's own: its link has none, or a uid named it. */
export function believesAnyId({ blocks }: SlackView): boolean {
  return (
    asksForId(blocks) && (JSON.stringify(blocks).includes('/redirect?') || !idIn(blocks).startsWith('~'))
  );
}

/** Whether the form has a field for the job id. */
export function asksForId(blocks: SlackView['blocks']): boolean {
  return blocks.some(({ block_id: id }) => typeof id === 'string' && id.startsWith('job_id'));
}

/** The prefilled job id; empty for none. */
export function idIn(blocks: SlackView['blocks']): string {
  const inputs = blocks as readonly { block_id?: string; element?: { initial_value?: string } }[];
  return inputs.find(({ block_id: id }) => id?.startsWith('job_id'))?.element?.initial_value ?? '';
}
