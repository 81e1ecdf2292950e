/**
 * Made-up proposals of an agency, the same for the same seed: natural word frequencies, letters of about 1.5
 * kB.
 */
import type { RandomSource } from '../src/clock.ts';
import { OrganizationId, ProfileId, ProposalId } from '../src/ids.ts';
import type { Proposal } from '../src/marketplace/schema.ts';

const MINUTES_APART = 40;
const LETTER_WORDS = 235;
const VOCABULARY = 40_000;
/** Share of a letter that is its template word for word. */
const TEMPLATED = 0.4;

const FREQUENT = (
  'the to and i you a of in your with for have is my this on can be project we that as work it ' +
  'experience are or at will from our would me let by an if know looking build website team app help ' +
  'design forward discuss time please more also web years development like need which worked use do all ' +
  'has clients job developer not one hello make would so using page api store best over quick data hi ' +
  'out ready call new user code mobile here start any about full custom react platform but ensure ' +
  'similar share happy how site detail get past feel free regards understand clean questions system ' +
  'include through they process business well deliver provide management end stack integration quality ' +
  'recently below wordpress shopify node python landing backend frontend database dashboard payment ' +
  'responsive performance security testing cloud aws docker typescript javascript php laravel django ' +
  'figma ux ui seo marketing content automation ai chatbot scraping analytics mobile flutter ios ' +
  'android swift kotlin unity stripe booking calendar crm saas mvp startup agency client deadline ' +
  'milestone budget timeline portfolio review support maintenance migration speed optimization plugin ' +
  'theme woocommerce elementor webflow framer airtable zapier hubspot salesforce'
).split(' ');
const SYLLABLES = (
  'ka lo mi ter ra ven sol pri con de ma tion al er in ti so ne ful ly ment re pro sub ex ta do gra ph ' +
  'li be qu um or as is en'
).split(' ');
const NAMES = ['Anna Novák', 'Ben Okafor', 'Chloé Martin', 'Dmytro Bondar', 'Eva-Maria Lind', 'Farid Khan'];
const OCCUPATIONS = ['Full Stack Development', 'Front-End Development', 'UX/UI Design', 'DevOps Engineering'];

export function generateProposals(count: number, random: RandomSource): readonly Proposal[] {
  const words = makeWords(random);
  const pick = makePicker(words, random);
  const templates = Array.from({ length: 25 }, (_, at) => ({
    id: 500 + at,
    name: `${pick()} ${pick()} – ${at % 2 === 0 ? 'short' : 'long'}`,
    words: Array.from({ length: Math.floor(LETTER_WORDS * TEMPLATED) }, pick),
  }));
  const profiles = Array.from({ length: 5 }, (_, at) => ({
    id: ProfileId.parse(11 + at),
    label: `Team ${at + 1}`,
  }));
  const chance = (share: number) => random() < share;
  const one = <T>(of: readonly [T, ...T[]] | readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const newest = Date.UTC(2026, 10, 20, 12);
  return Array.from({ length: count }, (_, at): Proposal => {
    const template = one(templates);
    const own = Array.from({ length: Math.floor(LETTER_WORDS * (0.4 + random() * 0.4)) }, pick);
    const viewed = chance(0.35);
    const interviewed = viewed && chance(0.25);
    const freelancer = Math.floor(random() * NAMES.length);
    const occupation = Math.floor(random() * OCCUPATIONS.length);
    return {
      id: ProposalId.parse(1_000_000 + count - at),
      applicationUid: `18${String(1e15 + at)}`,
      submittedAt: newest - at * MINUTES_APART * 60_000,
      coverLetter: punctuate([...template.words.slice(0, 40), ...own, ...template.words.slice(40)], random),
      answers: chance(0.3)
        ? [
            {
              question: 'Describe your recent experience with similar projects',
              answer: punctuate(own.slice(0, 30), random),
            },
          ]
        : [],
      jobTitle: Array.from({ length: 7 }, pick).join(' '),
      freelancer: { id: 70 + freelancer, name: NAMES[freelancer] ?? '' },
      profile: one(profiles),
      organization: { id: OrganizationId.parse(3), label: 'Agency' },
      connects: 4 + Math.floor(random() * 20),
      ...(chance(0.4) ? { boost: Math.floor(random() * 60) } : {}),
      terms: { hourlyRate: 30 + Math.floor(random() * 50) },
      viewed,
      interviewed,
      hired: interviewed && chance(0.3),
      withdrawn: chance(0.03),
      fromInvitation: chance(0.05),
      archived: chance(0.6),
      occupationUid: `occ-${occupation}`,
      occupation: OCCUPATIONS[occupation] ?? '',
      position: 1 + Math.floor(random() * 50),
      boostOutbid: chance(0.1),
      variant: chance(0.5) ? 'A' : 'B',
      ...(chance(0.9) ? { template: { id: template.id, name: template.name } } : {}),
    };
  });
}

/** @returns texts of `words` words in natural frequencies, all different */
export function createWriter(random: RandomSource): (words: number) => string {
  const pick = makePicker(makeWords(random), random);
  return (words) => punctuate(Array.from({ length: words }, pick), random);
}

/** The frequent words first, in order; then made-up ones. */
function makeWords(random: RandomSource): readonly string[] {
  const words = new Set(FREQUENT);
  while (words.size < VOCABULARY) {
    const length = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(''));
  }
  return [...words];
}

/** Zipf: the n-th word is 1/n as frequent as the first. */
function makePicker(words: readonly string[], random: RandomSource): () => string {
  const sums: number[] = [];
  let sum = 0;
  for (const [at] of words.entries()) {
    sum += 1 / (at + 1);
    sums.push(sum);
  }
  return () => {
    const sought = random() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < sought) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? '';
  };
}

/** Adds sentences, paragraphs, and now and then a non-ASCII character. */
function punctuate(words: readonly string[], random: RandomSource): string {
  let text = '';
  let starts = true;
  for (const word of words) {
    text += starts ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    const drawn = random();
    starts = drawn < 0.08;
    if (drawn < 0.02) text += '.\n\n';
    else if (drawn < 0.08) text += '. ';
    else if (drawn < 0.14) text += ', ';
    else if (drawn < 0.145) text += ' — ';
    else if (drawn < 0.15) text += '’s ';
    else text += ' ';
  }
  return text.trim();
}
