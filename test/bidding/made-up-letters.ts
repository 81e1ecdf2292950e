/** Made-up cover letters of a small agency, the same for each seed, to measure the warning about repeats. */
import { seededRandom } from '../seeded-random.ts';

const POOLS = {
  name: 'Anna Jonas Priya Chen Omar Lucia Tom Ingrid Yusuf Mei Diego Sofia Karl Aisha Pavel Nora'.split(' '),
  client: 'Acme,Brightside,Northwind,Lumen Labs,Tidewater,Orchid,Sparrow & Co,Kite,Fjord,Maple Road'.split(
    ',',
  ),
  thing: (
    'checkout,product catalog,booking calendar,admin dashboard,landing page,mobile app,payment flow,' +
    'search page,onboarding,data pipeline,newsletter,help center,price calculator,chat widget,' +
    'report builder,login'
  ).split(','),
  tool: (
    'React,Vue,Laravel,Shopify,WordPress,Django,Node,Flutter,Svelte,Rails,Webflow,Next.js,Go,Kotlin,' +
    'Python,Figma'
  ).split(','),
  trade: (
    'a furniture store,a dental clinic,a travel agency,a law firm,a brewery,a language school,' +
    'a logistics company,a museum,a car rental,a bakery chain,a real estate broker,a fitness studio,' +
    'a bookshop,a charity,a bank'
  ).split(','),
  quality: 'fast,accessible,tested,simple,secure,documented,responsive,reliable,clear,light'.split(','),
  result: (
    'sales grew by a third,support tickets halved,pages load in under a second,orders doubled,' +
    'editors publish without developers,refunds dropped,the team ships every week,' +
    'the app got 4.8 stars,sign-ups rose by 40%,nobody types data twice anymore,' +
    'audits pass at the first try'
  ).split(','),
  problem: (
    'the forms lose data on slow phones,two systems disagree about stock,' +
    'the old theme breaks with each update,search finds nothing with a typo,the build takes an hour,' +
    'emails land in spam,images are far too large,the queue stalls at night,' +
    'nobody knows which price is right,the tests are flaky'
  ).split(','),
  day: 'Monday,Tuesday,Wednesday,Thursday,Friday'.split(','),
} as const;

/** Sentence frames; letters take some of them in any order. */
const FRAMES = [
  'Your {thing} sounds like what I did for {trade} last year, where {result}.',
  'From your description I guess that {problem}, and I would look there first.',
  'I would begin with a {quality} version of the {thing} in {tool}, and show it to you on {day}.',
  'In my last project, {trade} needed a {quality} {thing}; {result}.',
  'Before I write code I would like to know how your {thing} and your {thing} work together.',
  'For {trade} I moved the {thing} from {tool} to {tool} without a day offline.',
  'If {problem}, then a new {thing} alone will not help, so I would measure for a week.',
  'I have worked with {tool} for {n} years and with {tool} for {n}.',
  'What matters to me is that the {thing} stays {quality} and {quality} after I have left.',
  'You ask for {tool}; I would still keep {tool} for the {thing}, because {problem}.',
  'The first milestone would be the {thing}, done by {day}, for a fixed price.',
  'My colleague {name} would test the {thing} on {n} devices while I finish the {thing}.',
  'A client of mine, {trade}, had the same case: {problem}, and in the end {result}.',
  'I can start on {day} and I am online {n} hours a day in your time zone.',
  'Would you rather replace the {thing} at once, or run the old {thing} beside it for {n} weeks?',
] as const;

const GREETINGS = ['Hi {name},', 'Hello {client} team,', 'Dear {name},', 'Hi there,', 'Good morning {name},'];
/** What an agency has in every letter. */
const BOILERPLATE = [
  'We are a team of twelve developers and designers with over 300 finished projects and a 98% success score.',
  'You can see our portfolio in the attachments, and references are available on request.',
  'We keep your code in your own repository and write down everything that the next developer needs.',
  'Looking forward to your reply, and thank you for reading. Best regards, the Studio Nord team',
];

export class LetterWriter {
  readonly #random: () => number;
  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  fill(frame: string): string {
    return frame.replace(/\{(\w+)\}/gu, (_, slot: string) =>
      slot === 'n'
        ? String(2 + Math.floor(this.#random() * 9))
        : this.pick(POOLS[slot as keyof typeof POOLS]),
    );
  }

  sentences(count: number): string[] {
    const left: string[] = [...FRAMES];
    return Array.from({ length: count }, () => {
      const [frame = ''] = left.splice(Math.floor(this.#random() * left.length), 1);
      return this.fill(frame);
    });
  }

  greeting(): string {
    return this.fill(this.pick(GREETINGS));
  }

  length(): number {
    return 6 + Math.floor(this.#random() * 5);
  }
}

export type Pair = readonly [one: string, other: string];

function letter(greeting: string, body: readonly string[], boilerplate: number): string {
  return [greeting, ...body, ...BOILERPLATE.slice(BOILERPLATE.length - boilerplate)].join('\n');
}

/** Two letters of the kind, for two clients. */
export const KINDS: Readonly<Record<string, (writer: LetterWriter) => Pair>> = {
  // To warn about.
  'copied, other greeting': (writer) => {
    const body = writer.sentences(writer.length());
    return [letter(writer.greeting(), body, 2), letter(writer.greeting(), body, 2)];
  },
  'copied, one sentence new': (writer) => {
    const body = writer.sentences(writer.length());
    const [fresh = ''] = writer.sentences(1);
    return [letter(writer.greeting(), body, 2), letter(writer.greeting(), [fresh, ...body.slice(1)], 2)];
  },
  'a form with filled-in names': (writer) => {
    const body = writer.sentences(writer.length());
    const named = (text: string) =>
      writer.fill(`I read your post about the {thing} for {client} with interest. ${text}`);
    const [first = '', ...rest] = body;
    return [
      letter(writer.greeting(), [named(first), ...rest], 2),
      letter(writer.greeting(), [named(first), ...rest], 2),
    ];
  },
  'copied, sentences in another order': (writer) => {
    const body = writer.sentences(writer.length());
    return [letter(writer.greeting(), body, 2), letter(writer.greeting(), body.toReversed(), 2)];
  },
  // Neither: a person may think so or not.
  'half of the sentences new': (writer) => {
    const body = writer.sentences(writer.length());
    const half = Math.floor(body.length / 2);
    return [
      letter(writer.greeting(), body, 2),
      letter(writer.greeting(), [...body.slice(0, half), ...writer.sentences(body.length - half)], 2),
    ];
  },
  // Not to warn about.
  'own words, no boilerplate': (writer) => [
    letter(writer.greeting(), writer.sentences(writer.length()), 0),
    letter(writer.greeting(), writer.sentences(writer.length()), 0),
  ],
  'own words, 2 sentences of boilerplate': (writer) => [
    letter(writer.greeting(), writer.sentences(writer.length()), 2),
    letter(writer.greeting(), writer.sentences(writer.length()), 2),
  ],
  'own words, 4 sentences of boilerplate': (writer) => [
    letter(writer.greeting(), writer.sentences(writer.length()), 4),
    letter(writer.greeting(), writer.sentences(writer.length()), 4),
  ],
  'short own words, 4 sentences of boilerplate': (writer) => [
    letter(writer.greeting(), writer.sentences(3), 4),
    letter(writer.greeting(), writer.sentences(3), 4),
  ],
};
