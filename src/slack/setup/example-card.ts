/** A made-up card for a channel that was just set up while no project is known. Pure. */
import type { Message } from '../core/routes.ts';
import { contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';

const WHAT = 'Example: this is how a new project looks';

/** Without buttons: there is nothing to bid on. Clearly no real project. */
export function exampleCardMessage(): Message {
  return {
    text: `${WHAT}. It's made up.`,
    blocks: [
      contextBlock(`*${WHAT}.* It's made up. Real projects arrive here as soon as your filter finds them.`),
      sectionBlock(
        joinLines('*Booking site for a small hotel* (example)', '*$2,500 fixed* · posted a minute ago'),
      ),
      sectionBlock('Client: Germany · ★ 4.9 (31 reviews) · $40K spent · 23 hires · payment verified'),
      contextBlock('Skills: React, Node.js, Stripe'),
      contextBlock(
        'Under each real card: *Bid* opens the bid form, *Details* shows everything, ' +
          'and *Claim* tells your team that you work on it.',
      ),
    ],
  };
}
