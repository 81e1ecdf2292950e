/** Who posts the made-up projects. */
import type { BusinessTag } from './brief.ts';

export interface Business {
  /** Without an article, such as `dental practice`. */
  readonly name: string;
  /** In front of a noun, such as `dental` in “our dental website”. */
  readonly topic: string;
  /** A project's description begins with it. */
  readonly intro: string;
  readonly industry: string;
  readonly tags: readonly BusinessTag[];
  readonly isLarge: boolean;
}

const HEALTH = 'Health & Fitness';
const FOOD = 'Food & Beverage';
const TRAVEL = 'Travel & Hospitality';
const MEDIA = 'Media & Entertainment';
const FINANCE = 'Finance & Accounting';

function business(
  name: string,
  topic: string,
  industry: string,
  tags: readonly BusinessTag[],
  intro: string,
  isLarge = false,
): Business {
  return { name, topic, intro, industry, tags, isLarge };
}

export const BUSINESSES: readonly Business[] = [
  business(
    'dental practice',
    'dental',
    HEALTH,
    ['bookings', 'health'],
    "We're a dental practice with three locations.",
  ),
  business(
    'physiotherapy clinic',
    'physiotherapy',
    HEALTH,
    ['bookings', 'health'],
    'We run a physiotherapy clinic downtown.',
  ),
  business(
    'veterinary clinic',
    'vet',
    HEALTH,
    ['bookings', 'health'],
    "We're a veterinary clinic for small animals.",
  ),
  business(
    'yoga studio',
    'yoga',
    HEALTH,
    ['bookings', 'learning'],
    'We run a yoga studio with live and recorded classes.',
  ),
  business(
    'hair salon chain',
    'salon',
    'Retail',
    ['bookings'],
    'We have five hair salons and one shared reception team.',
  ),
  business(
    'tutoring company',
    'tutoring',
    'Education',
    ['bookings', 'learning'],
    'We connect school students with tutors.',
  ),
  business(
    'language school',
    'language school',
    'Education',
    ['bookings', 'learning'],
    "We're a language school with classes online.",
  ),
  business(
    'online course company',
    'course',
    'Education',
    ['learning', 'saas'],
    'We sell online courses for accountants.',
    true,
  ),
  business(
    'garden furniture shop',
    'garden furniture',
    'Retail',
    ['shop'],
    'We sell garden furniture online and in one showroom.',
  ),
  business(
    'skincare brand',
    'skincare',
    'Retail',
    ['shop'],
    "We're an organic skincare brand and sell in four countries.",
  ),
  business('coffee roaster', 'coffee', FOOD, ['shop', 'food'], 'We roast coffee and ship it the same day.'),
  business(
    'bike shop',
    'bike',
    'Retail',
    ['shop', 'bookings'],
    'We sell and repair bikes, mostly commuter bikes.',
  ),
  business(
    'pet food brand',
    'pet food',
    FOOD,
    ['shop', 'food'],
    'We make fresh dog food and deliver it by subscription.',
  ),
  business('wine importer', 'wine', FOOD, ['shop', 'food'], 'We import wine from small family estates.'),
  business('toy store', 'toy', 'Retail', ['shop'], "We're a toy store that's been around since 1987."),
  business(
    'outdoor gear brand',
    'outdoor gear',
    'Retail',
    ['shop'],
    'We design backpacks and tents for long hikes.',
    true,
  ),
  business(
    'restaurant group',
    'restaurant',
    FOOD,
    ['food', 'bookings'],
    'We run six restaurants under four names.',
    true,
  ),
  business(
    'bakery chain',
    'bakery',
    FOOD,
    ['food'],
    "We're a bakery with nine shops, and three more open this year.",
  ),
  business(
    'meal kit service',
    'meal kit',
    FOOD,
    ['food', 'shop'],
    'We deliver meal kits to about 4,000 households.',
    true,
  ),
  business(
    'property management firm',
    'property',
    'Real Estate',
    ['property'],
    'We manage 1,200 apartments for their owners.',
    true,
  ),
  business(
    'real estate agency',
    'real estate',
    'Real Estate',
    ['property'],
    "We're a real estate agency with eleven agents.",
  ),
  business(
    'holiday rental company',
    'holiday rental',
    TRAVEL,
    ['travel', 'property', 'bookings'],
    'We rent out 80 holiday homes.',
  ),
  business(
    'hotel group',
    'hotel',
    TRAVEL,
    ['travel', 'bookings'],
    "We're a family-owned group of four hotels.",
    true,
  ),
  business(
    'tour operator',
    'hiking tour',
    TRAVEL,
    ['travel', 'bookings'],
    'We organize hiking tours for small groups.',
  ),
  business(
    'accounting firm',
    'accounting',
    FINANCE,
    ['finance'],
    "We're an accounting firm for small businesses.",
  ),
  business(
    'insurance broker',
    'insurance',
    FINANCE,
    ['finance'],
    "We're an independent insurance broker.",
    true,
  ),
  business(
    'lending startup',
    'lending',
    FINANCE,
    ['finance', 'saas'],
    'We lend to small shops, and everything is online.',
    true,
  ),
  business(
    'HR software company',
    'HR software',
    'Tech & IT',
    ['saas'],
    'We make HR software for companies with shift work.',
    true,
  ),
  business(
    'scheduling startup',
    'scheduling',
    'Tech & IT',
    ['saas'],
    'Our scheduling tool has about 900 paying teams.',
  ),
  business(
    'warehouse software startup',
    'warehouse',
    'Tech & IT',
    ['saas'],
    'We build software for small warehouses.',
  ),
  business(
    'logistics company',
    'logistics',
    'Manufacturing',
    ['factory'],
    'We move furniture with 40 vans.',
    true,
  ),
  business(
    'furniture maker',
    'furniture',
    'Manufacturing',
    ['factory', 'shop'],
    'We make oak tables and shelves to order.',
  ),
  business(
    'machine parts manufacturer',
    'machine parts',
    'Manufacturing',
    ['factory'],
    'We make parts for packaging machines.',
    true,
  ),
  business(
    'solar installer',
    'solar',
    'Manufacturing',
    ['field'],
    'We install solar panels on private homes.',
  ),
  business(
    'plumbing company',
    'plumbing',
    'Manufacturing',
    ['field', 'bookings'],
    "We're a plumbing company with 14 technicians.",
  ),
  business(
    'podcast network',
    'podcast',
    MEDIA,
    ['media'],
    'We produce seven podcasts about science and history.',
  ),
  business('trade magazine', 'magazine', MEDIA, ['media'], "We're a monthly trade magazine for architects."),
  business(
    "children's book publisher",
    'picture book',
    MEDIA,
    ['media'],
    'We publish about 20 picture books a year.',
  ),
  business(
    'animal charity',
    'charity',
    'Education',
    ['charity'],
    "We're a charity that finds homes for old dogs.",
  ),
  business(
    'science museum',
    'museum',
    'Education',
    ['charity', 'bookings'],
    "We're a science museum, popular with schools.",
    true,
  ),
];
