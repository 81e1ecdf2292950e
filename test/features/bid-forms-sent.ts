/** Forms and presses in the game of `bid-play.ts`: how a request tells which of them it came of. */
import { SECOND } from '../../src/clock.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';

/** A form that somebody sent; its letter bears the number, so that a request tells which press it came of. */
export interface Sent {
  readonly number: number;
  /** When what was sent had been put on the screen. */
  readonly shownAt: number;
  /** All that stood there. */
  readonly words: string;
}

/** A press of Approve; `seen` is what stood in the button. */
export interface Approving {
  readonly job: number;
  readonly seen: number;
}

/** Characters. What the soak's marketplace may refuse is shorter. */
export const LONG_LETTER = 1_200;
const LETTER = /letter (\d+)(?: x+)?$/u;

/** The number of the form that a cover letter was sent with. */
export function numberOf(letter: unknown): number | undefined {
  const found = typeof letter === 'string' ? LETTER.exec(letter)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
}

/** When a view was put on the screen: its hash begins with the time. */
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

/** Whether any id is believed to be the project's own: its link doesn't say, or it was named by a uid. */
export function believesAnyId({ blocks }: SlackView): boolean {
  return JSON.stringify(blocks).includes('/redirect?') || !idIn(blocks).startsWith('~');
}

/** The job id that the form is filled in with; empty where there is none. */
export function idIn(blocks: SlackView['blocks']): string {
  const inputs = blocks as readonly { block_id?: string; element?: { initial_value?: string } }[];
  return inputs.find(({ block_id: id }) => id?.startsWith('job_id'))?.element?.initial_value ?? '';
}
