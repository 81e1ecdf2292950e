/** Turns briefs into titles, descriptions, and cover letters. Pure. */
import type { RandomSource } from '../../clock.ts';
import { pickRandom, pickRandomSubset, randomInteger } from '../marketplace/random-draws.ts';
import type { ProjectBrief } from './brief.ts';
import type { Business } from './businesses.ts';
import type { ClientPast } from './lifelike-client.ts';

/** “a dental practice”, “an HR software company”. */
function withArticle(name: string): string {
  return `${/^(?:[aeio]|HR\b)/u.test(name) ? 'an' : 'a'} ${name}`;
}

/** Puts the business into a brief's text. */
export function fillInBusiness(text: string, { name, topic }: Pick<Business, 'name' | 'topic'>): string {
  const filled = text
    .replaceAll('{biz}', name)
    .replaceAll('{topic}', topic)
    .replaceAll('{a}', withArticle(name));
  return filled.slice(0, 1).toUpperCase() + filled.slice(1);
}

const CLOSINGS: Readonly<Record<ClientPast, readonly string[]>> = {
  new: [
    "This is our first project here, so please tell us if we've forgotten something.",
    "We're new here. What else would you need to know from us?",
  ],
  'never hired': [
    "We have posted this before and didn't find the right person.",
    'Please only apply if you have done this kind of work before.',
  ],
  'some hires': [
    'Please tell us in two sentences how you would start.',
    'Short proposals are welcome. What would you do in the first week?',
  ],
  'many hires': [
    "We hire here often and pay on time. If this goes well, there's more to do.",
    "We've worked with many freelancers here and reply within a day.",
  ],
};

const LOCAL = {
  'United States': 'Only freelancers based in the United States, please.',
} as const;

/** @param about facts that the text has to agree with */
export function describeProject(
  random: RandomSource,
  brief: ProjectBrief,
  business: Business,
  about: { readonly past: ClientPast; readonly usOnly: boolean; readonly attachments: number },
): string {
  const extras = pickRandomSubset(random, brief.extras, randomInteger(random, 0, 2));
  const attached = about.attachments === 0 ? [] : ['Details are in the attachment.'];
  const only = about.usOnly ? [LOCAL['United States']] : [];
  return [
    `${business.intro} ${fillInBusiness(brief.body, business)}`,
    [...extras, ...attached].join(' '),
    [...only, pickRandom(random, CLOSINGS[about.past])].join(' '),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

const GREETINGS = ['Hello!', 'Hi!', 'Hi there!', 'Good morning!'] as const;
const ENDINGS = [
  'Could we talk for 15 minutes this week?',
  'I could start on Monday. Does that suit you?',
  'May I ask two questions before I quote?',
  'I work in your time zone until the early afternoon.',
  'Shall I send you a short plan with a price?',
] as const;

/** A letter of three or four sentences that fits the brief. */
export function writeCoverLetter(random: RandomSource, brief: ProjectBrief): string {
  return `${pickRandom(random, GREETINGS)}\n\n${brief.pitch} ${pickRandom(random, ENDINGS)}`;
}

const INVITATIONS = [
  'Hello! Your profile fits what we need. Do you have time for a short call this week?',
  'Hi, we liked a similar project in your portfolio. Would you have a look at ours?',
  "One of your former clients recommended you. We'd love to get a proposal from you.",
  "Hi! We'd like to decide by Friday and are inviting three people. Are you interested?",
] as const;

export function writeInvitation(random: RandomSource): string {
  return pickRandom(random, INVITATIONS);
}
