/** Which letters count as nearly equal, measured on made-up ones. The decision record quotes this table. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLetters, NEARLY_EQUAL, sketchLetter } from '../../src/proposals/sent-letters.ts';
import { seededRandom } from '../seeded-random.ts';

const PAIRS = 1_000;

/** What letters of a small agency are made of. */
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

class LetterWriter {
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

type Pair = readonly [one: string, other: string];

function letter(greeting: string, body: readonly string[], boilerplate: number): string {
  return [greeting, ...body, ...BOILERPLATE.slice(BOILERPLATE.length - boilerplate)].join('\n');
}

/** Two letters of the kind, for two clients. */
const KINDS: Readonly<Record<string, (writer: LetterWriter) => Pair>> = {
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

function sketch(text: string) {
  return sketchLetter(text) ?? expect.fail('too short to compare');
}

function likenesses(kind: string): readonly number[] {
  const writer = new LetterWriter(7);
  const make = KINDS[kind] ?? expect.fail(kind);
  return Array.from({ length: PAIRS }, () => {
    const [one, other] = make(writer);
    return compareLetters(sketch(one), sketch(other));
  });
}

it('the threshold lies between copies and own words', () => {
  const rows = Object.keys(KINDS).map((kind) => {
    const all = likenesses(kind);
    const over = (threshold: number) => all.filter((each) => each >= threshold).length;
    const range = `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`;
    return `${kind}: ${range}; ${[0.5, NEARLY_EQUAL, 0.7].map((at) => `${at}: ${over(at)}`).join(', ')}`;
  });
  expect(rows).toMatchInlineSnapshot(`
    [
      "copied, other greeting: 0.95 to 1.00; 0.5: 1000, 0.6: 1000, 0.7: 1000",
      "copied, one sentence new: 0.69 to 0.95; 0.5: 1000, 0.6: 1000, 0.7: 996",
      "a form with filled-in names: 0.88 to 0.98; 0.5: 1000, 0.6: 1000, 0.7: 1000",
      "copied, sentences in another order: 0.79 to 0.85; 0.5: 1000, 0.6: 1000, 0.7: 1000",
      "half of the sentences new: 0.32 to 0.62; 0.5: 137, 0.6: 3, 0.7: 0",
      "own words, no boilerplate: 0.00 to 0.31; 0.5: 0, 0.6: 0, 0.7: 0",
      "own words, 2 sentences of boilerplate: 0.12 to 0.40; 0.5: 0, 0.6: 0, 0.7: 0",
      "own words, 4 sentences of boilerplate: 0.20 to 0.47; 0.5: 0, 0.6: 0, 0.7: 0",
      "short own words, 4 sentences of boilerplate: 0.34 to 0.57; 0.5: 35, 0.6: 0, 0.7: 0",
    ]
  `);
});

it('a letter of own words is not like any of 300 others of the same agency', () => {
  const writer = new LetterWriter(11);
  const make = KINDS['own words, 4 sentences of boilerplate'] ?? expect.fail();
  const letters = Array.from({ length: 300 }, () => sketch(make(writer)[0]));
  const alarms = letters.filter((one, at) =>
    letters.slice(0, at).some((other) => compareLetters(one, other) >= NEARLY_EQUAL),
  );
  expect(alarms).toHaveLength(0);
});

describe('the measure', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'é', '漢字', '!', '\u0000'), {
    minLength: 12,
    maxLength: 700,
  });

  it('is 1 for the same letter, the same both ways, and never outside 0 to 1', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [a, b] = [sketchLetter(one.join(' ')), sketchLetter(other.join(' '))];
        if (!a || !b) return;
        expect(compareLetters(a, a)).toBe(1);
        expect(compareLetters(a, b)).toBe(compareLetters(b, a));
        expect(compareLetters(a, b)).toBeGreaterThanOrEqual(0);
        expect(compareLetters(a, b)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('ignores case, accents, punctuation and line breaks; very short letters are not compared', () => {
    const one = sketch('Hello Zoë, I would start with the checkout, and show it to you on Friday.');
    const other = sketch('HELLO ZOE - I would start with the checkout and\n\nshow it to you on friday');
    expect(compareLetters(one, other)).toBe(1);
    expect(sketchLetter('I can do this. Please message me.')).toBeUndefined();
    expect(sketchLetter('')).toBeUndefined();
  });

  it('estimates letters that are longer than its sample', () => {
    const words = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `word${from + at}`).join(' ');
    // 2,000 words, of which the second letter has the last 1,500 and 500 others: 1,500 of 2,500.
    const share = compareLetters(sketch(words(0, 2_000)), sketch(words(500, 2_000)));
    expect(share).toBeGreaterThan(0.53);
    expect(share).toBeLessThan(0.67);
  });
});
