/** Reads numbers and amounts of money, in the notations that people and marketplaces use. Pure. */

const GAP = String.raw`[.,'’ \u00a0\u2009\u202f]`;
/** `1,500.50`, `1.500,50`, `1 500`; `1,50,000`; digits with decimals: `1500.5`, `37,50`, `.5`. */
const NUMERAL = [
  String.raw`[1-9]\d{0,2}(?<gap>${GAP})\d{3}(?:\k<gap>\d{3})*(?!\d)(?:(?!\k<gap>)[.,]\d{1,2}(?!\d))?`,
  String.raw`[1-9]\d?(?:,\d{2})+,\d{3}(?!\d)(?:\.\d{1,2}(?!\d))?`,
  String.raw`\d+(?:[.,]\d+)?`,
  String.raw`\.\d+`,
].join('|');
const WHOLE = new RegExp(`^(?:${NUMERAL})$`, 'u');
/** The dot may separate thousands or decimals. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/u;
const MOST_DIGITS = 15;

/**
 * Digits with a decimal point, without separators.
 * @param dot what the dot of `1.500` separates
 * @returns undefined for anything but one number, zero or more
 */
export function normalizeNumeral(written: string, dot: 'thousands' | 'decimals'): string | undefined {
  const match = WHOLE.exec(written);
  if (!match) return undefined;
  const isGrouped = match.groups?.['gap'] !== undefined || /,\d+,/u.test(written);
  const asDecimal = dot === 'decimals' && AMBIGUOUS.test(written);
  const decimals = (isGrouped && !asDecimal ? /[.,](\d{1,2})$/u : /[.,](\d+)$/u).exec(written);
  const whole = written.slice(0, decimals?.index).replaceAll(/\D/gu, '');
  if (whole.length > MOST_DIGITS || (decimals?.[1] ?? '').length > MOST_DIGITS) return undefined;
  return decimals ? `${whole || '0'}.${decimals[1]}` : whole;
}

const FACTORS: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, mln: 1e6, million: 1e6 };
const AMOUNT = new RegExp(`(?:${NUMERAL})(?: ?(?<scale>k|m|mln|thousand|million)(?!\\p{L}))?`, 'giu');
/** Dollars of other countries, as in `C$500` and `AU$500`. */
const LETTERED_DOLLAR = /(?<!\p{L})(?!US)\p{Lu}{1,3}\$/u;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency').filter((code) => code !== 'USD'));
/** `a b?` as a pattern for either. */
const either = (words: string) => `(?:${words.replaceAll(' ', '|')})`;
const OTHER_CURRENCIES = either(
  'ca au nz hk sg cad aud euros? eur pounds? gbp rs inr rupees? chf s?fr kr zł kč yen yuan rmb pesos? ' +
    'reais lei ft',
);
const OTHER_CURRENCY = new RegExp(`^${OTHER_CURRENCIES}$`, 'iu');
const UNITS = either(
  '% percent h hrs? hours? days? wks? weeks? mos? months? yrs? years? mins? minutes? milestones? people ' +
    'persons? freelancers? jobs? projects? proposals? hires? connects?',
);
/** What is counted, where no currency is named: `30+ hrs/week`, `3 milestones`. */
const COUNTED = new RegExp(`^\\+? ?${UNITS}(?!\\p{L})`, 'iu');
const TIMES = either(
  'in since until by of jan\\w* feb\\w* mar\\w* apr\\w* may june? july? ' +
    'aug\\w* sep\\w* oct\\w* nov\\w* dec\\w*',
);
const BEFORE_A_YEAR = new RegExp(`(?:^|[^\\p{L}])${TIMES}\\.? $`, 'iu');
const DATE = /\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{4}/gu;
const RANGE = /^[\s+]*(?:\p{Pd}|[−~]|\.{2,3}|to|and|or)[\s+]*$/iu;

type Sign = 'dollars' | 'other' | undefined;

function readSign(text: string): Sign {
  const symbol = /\p{Sc}/u.exec(text)?.[0];
  if (symbol !== undefined) return symbol === '$' && !LETTERED_DOLLAR.test(text) ? 'dollars' : 'other';
  if (/^(?:USD?|dollars?|bucks?)$/iu.test(text)) return 'dollars';
  return CURRENCIES.has(text) || OTHER_CURRENCY.test(text) ? 'other' : undefined;
}

interface Amount {
  value: number;
  scale: number;
  sign: Sign;
  isCounted: boolean;
  readonly at: number;
  readonly end: number;
}

function readAmount(match: RegExpExecArray, label: string): Amount {
  const scale = match.groups?.['scale'];
  const numeral = scale === undefined ? match[0] : match[0].slice(0, -scale.length).trimEnd();
  const at = match.index;
  const end = at + match[0].length;
  const before = /(?:\p{L}{0,3}\p{Sc}|\p{L}+)\.? ?$/u.exec(label.slice(0, at))?.[0] ?? '';
  const after = /^ ?(\p{Sc}(?! ?\d)(?: ?\p{Lu}{2,3}(?!\p{L}))?|\p{L}+)/u.exec(label.slice(end))?.[1] ?? '';
  const signs = [before.replace(/[. ]+$/u, ''), ...after.split(/(?<=\p{Sc}) ?/u)].map(readSign);
  const isYear = /^(?:19|20)\d\d$/u.test(numeral) && BEFORE_A_YEAR.test(label.slice(0, at));
  return {
    value: Number(normalizeNumeral(numeral, scale === undefined ? 'thousands' : 'decimals') ?? Number.NaN),
    scale: FACTORS[scale?.toLowerCase() ?? ''] ?? 1,
    sign: signs.includes('other') ? 'other' : signs.find((sign) => sign !== undefined),
    isCounted: isYear || COUNTED.test(label.slice(end).trimStart()),
    at,
    end,
  };
}

/** Both ends of a range have the currency, the unit and the scale that either names: `$5-10K`. */
function joinRange(from: Amount, to: Amount, between: string): void {
  const gap = between.replaceAll(/\p{Lu}{0,2}\p{Sc}|(?<!\p{L})\p{Lu}{3}(?!\p{L})/gu, '');
  if (!RANGE.test(gap)) return;
  from.sign = from.sign === 'other' ? 'other' : (to.sign ?? from.sign);
  to.sign = from.sign;
  if (from.scale === 1 && from.value < to.value) from.scale = to.scale;
  from.isCounted ||= to.isCounted && from.sign === undefined;
}

/**
 * The amounts in a label such as `$500 - $1,000`, `15–30 USD /hr`, `Less than $1 500,50` or `$10K+`, in US
 * dollars. Without a currency, every number that counts nothing else is one.
 * @returns none for amounts in other currencies
 */
export function listDollarAmounts(written: string | undefined): readonly number[] {
  const label = (written ?? '')
    .slice(0, 200)
    .normalize('NFKC')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(DATE, ' ');
  const amounts = Array.from(label.matchAll(AMOUNT), (match) => readAmount(match, label));
  for (const [at, to] of amounts.entries()) {
    const from = amounts[at - 1];
    if (from) joinRange(from, to, label.slice(from.end, to.at));
  }
  const hasOther = amounts.some(({ sign }) => sign === 'other');
  // In `$500 (CAD 700)`, the dollars may be Canadian.
  if (hasOther && /\p{Lu}\$|(?<!\p{L})(?!USD)\p{Lu}{2}D(?!\p{L})/u.test(label)) return [];
  const isNamed = hasOther || amounts.some(({ sign }) => sign === 'dollars');
  return amounts
    .filter(({ sign, isCounted }) => (isNamed ? sign === 'dollars' : !isCounted))
    .map(({ value, scale }) => Number((value * scale).toFixed(2)))
    .filter(Number.isFinite);
}
