import { mayAct } from '../../access/roles.ts';
import { actionIds } from '../blocks/ids.ts';
import { notAllowedMessage } from '../messages/boundary-answers.ts';
import {
  askMute,
  askSkipReason,
  copyLinkMessage,
  type Muted,
  mutedForChannel,
  mutedMessage,
} from '../messages/card-questions.ts';
import { SKIP_WORDS } from '../messages/skip-reasons.ts';
import { type MoreValue, readMoreValue } from '../messages/values.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';
import { bidOpen, openBidOfMessage } from './bid-open.ts';
import { CARD_GONE, findCard } from './find-card.ts';
import { tellChannel } from './tell-channel.ts';

async function skip(call: ActionCall, choice: Extract<MoreValue, { kind: 'skip' }>): Promise<void> {
  const { services, channel, person } = call;
  const view = await findCard(call, choice.card ?? call.message?.ts);
  const done = view && (await services.feed.skip(channel, view.card.project, person.user, choice.reason));
  if (!done) return call.answer(CARD_GONE);
  if (choice.card) await call.replace({ text: `Skipped: ${SKIP_WORDS[choice.reason]}.` });
}

/** Opens the question that a menu entry leads to, or shows the links. */
async function ask(call: ActionCall, kind: 'ask-skip' | 'ask-mute' | 'copy-link'): Promise<void> {
  const ts = call.message?.ts;
  const view = await findCard(call, ts);
  if (!view || ts === undefined) return call.answer(CARD_GONE);
  const { project } = view.seen;
  if (kind === 'ask-skip') return call.answer(askSkipReason(project, ts));
  if (kind === 'copy-link')
    return call.answer(copyLinkMessage(project, await call.services.slack.permalink(call.channel, ts)));
  await call.answer(askMute(project, ts) ?? { text: 'This project has no country or words to mute.' });
}

async function mute(call: ActionCall, wanted: Muted): Promise<void> {
  const { services, channel, person } = call;
  const outcome = await services.feed.mute(channel, wanted, person.user);
  if (outcome === 'full')
    return call.answer({
      text: 'This channel has reached its mute limit. Remove a mute in `/gig list`, then try again.',
    });
  await call.replace(mutedMessage(wanted));
  if (outcome === 'muted') await tellChannel(call, mutedForChannel(wanted, person.user));
}

async function muteCountry(call: ActionCall, card: Extract<MoreValue, { kind: 'mute-country' }>['card']) {
  const country = (await findCard(call, card))?.seen.project.client.country;
  return country ? mute(call, { kind: 'country', value: country }) : call.answer(CARD_GONE);
}

async function muteWord(call: ActionCall, choice: Extract<MoreValue, { kind: 'mute-word' }>): Promise<void> {
  const view = await findCard(call, choice.card);
  return view ? mute(call, { kind: 'word', value: choice.word }) : call.answer(CARD_GONE);
}

/** Another bid on the card's project; for those who may press Bid, though the menu is for all. */
async function bidAgain(call: ActionCall): Promise<void> {
  if (mayAct(call.person.role, bidOpen.needs)) return openBidOfMessage(call);
  await call.answer(notAllowedMessage(call.person, bidOpen.needs));
}

/** The card's menu, and the choices of the questions that it opens. */
export const more: ActionRoute = {
  id: actionIds.more,
  needs: 'viewer',
  async run(call) {
    const choice = readMoreValue(call.value);
    if (!choice) return call.answer(CARD_GONE);
    switch (choice.kind) {
      case 'skip':
        return skip(call, choice);
      case 'mute-country':
        return muteCountry(call, choice.card);
      case 'mute-word':
        return muteWord(call, choice);
      case 'bid':
        return bidAgain(call);
      case 'ask-skip':
      case 'ask-mute':
      case 'copy-link':
        return ask(call, choice.kind);
    }
  },
};
