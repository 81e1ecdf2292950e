/** Made-up projects: online shops and mobile apps. */
import type { ProjectBrief } from '../brief.ts';

const SHOPS = ['Web Development', 'E-commerce Development'];
const APPS = ['Mobile Development', 'Mobile App Development'];

export const SHOP_AND_APP_BRIEFS: readonly ProjectBrief[] = [
  {
    categories: SHOPS,
    titles: [
      'New checkout for {a}',
      'Move our {topic} shop to a new checkout',
      'Shopify checkout expert for {a}',
    ],
    tags: ['shop'],
    body:
      'One in three customers leaves at the payment step. Only the cart and the payment change, the ' +
      'rest of the shop stays as it is.',
    extras: ['We can share recordings of people who gave up.', 'Apple Pay and Klarna must work.'],
    skills: ['Shopify', 'JavaScript', 'Liquid'],
    moreSkills: ['React', 'Stripe', 'Conversion Optimization', 'TypeScript'],
    fixed: [2_500, 9_000],
    weeks: [3, 8],
    level: 'Expert',
    questions: [
      ['By how much did your last checkout change sales?', '11% more orders on phones, within six weeks.'],
    ],
    pitch:
      "I've rebuilt six checkouts and would start yours with the recordings, because they show " +
      'where people stop.',
  },
  {
    categories: SHOPS,
    titles: ['Shopify theme for {a}', 'Redesign the Shopify store of {a}'],
    tags: ['shop'],
    body:
      'Our store looks like every other store. We have new photos and a brand guide, and need a ' +
      'developer who turns them into a theme that our team can edit.',
    extras: [
      'About 140 products.',
      'The design is finished in Figma.',
      'Launch is planned before the summer.',
    ],
    skills: ['Shopify', 'Liquid', 'CSS'],
    moreSkills: ['JavaScript', 'Figma', 'Shopify Theme', 'SEO'],
    fixed: [1_500, 5_000],
    weeks: [3, 8],
    level: 'Intermediate',
    questions: [
      [
        'Please link to two Shopify themes you built.',
        'Both are in my portfolio: a tea shop and a bookshop.',
      ],
    ],
    pitch: 'I build themes from Figma every month, with sections that a shop owner can move around safely.',
  },
  {
    categories: SHOPS,
    titles: ['Move {a} from WooCommerce to Shopify', 'WooCommerce to Shopify migration ({biz})'],
    tags: ['shop'],
    body:
      'We want to move everything to Shopify without losing customers, orders or search rankings. ' +
      'Some product options are complicated.',
    extras: ['About 900 products and 20,000 orders.', 'The move should happen on a Sunday night.'],
    skills: ['Shopify', 'WooCommerce', 'Data Migration'],
    moreSkills: ['SEO', 'Matrixify', 'PHP'],
    fixed: [1_200, 4_500],
    weeks: [2, 6],
    level: 'Intermediate',
    questions: [
      ['How do you keep the old addresses working?', 'A redirect for each, tested with a crawler.'],
    ],
    pitch:
      "I've moved nine shops. I rehearse the move twice on a copy, so the real one takes a quiet evening.",
  },
  {
    categories: SHOPS,
    titles: ['Upload 250 products to our {topic} store', 'Product entry for {a} (Shopify)'],
    tags: ['shop', 'food'],
    body:
      'We have a spreadsheet with names, prices and sizes, and a folder of photos. Everything needs ' +
      'to go into Shopify, with clean titles and tags.',
    extras: ['Careful work matters more than speed.', 'We check the first 20 together.'],
    skills: ['Shopify', 'Data Entry'],
    moreSkills: ['Microsoft Excel', 'Image Editing', 'Product Listings'],
    fixed: [80, 300],
    hourly: [8, 18],
    weeks: [1, 2],
    level: 'Entry Level',
    questions: [],
    pitch: 'I enter products every week and check each one twice. I can send you the first 20 tomorrow.',
  },
  {
    categories: SHOPS,
    titles: ['Subscriptions for {a}', 'Recurring orders for our {topic} shop'],
    tags: ['food'],
    body:
      'Our best customers order the same things every month. They should be able to subscribe, skip ' +
      'a month, and swap products without writing to us.',
    extras: [
      'We run Shopify with Recharge today, and are not happy.',
      'The migration of 600 subscribers is part of it.',
    ],
    skills: ['Shopify', 'Node.js', 'API Integration'],
    moreSkills: ['Recharge', 'React', 'GraphQL', 'Liquid'],
    fixed: [3_000, 8_500],
    weeks: [4, 10],
    level: 'Expert',
    questions: [['Which subscription apps have you worked with?', 'Recharge, Skio, and one that I wrote.']],
    pitch: 'I moved 1,800 subscribers between two systems last year, and not a single one was charged twice.',
  },
  {
    categories: APPS,
    titles: ['Flutter app for {topic} technicians, offline first', 'Offline app for our {topic} field team'],
    tags: ['field'],
    body:
      'Our technicians often have no signal in basements. They need their jobs, photos and ' +
      'signatures on the phone, and everything should sync later.',
    extras: ['There is a back end with an API.', 'Android first, iPhones later this year.'],
    skills: ['Flutter', 'Dart', 'SQLite'],
    moreSkills: ['Firebase', 'REST API', 'Kotlin'],
    fixed: [6_000, 16_000],
    hourly: [40, 80],
    weeks: [8, 20],
    level: 'Expert',
    questions: [
      [
        'How do you handle two people changing one job offline?',
        'Each change is kept, and the planner sees both.',
      ],
    ],
    pitch:
      'My last two apps worked offline for days. What happens when two changes meet is the first ' +
      'thing I would settle.',
  },
  {
    categories: APPS,
    titles: ['iOS developer to finish an app that is 80% done', 'Finish the iPhone app of {a}'],
    tags: ['learning', 'bookings', 'saas'],
    body:
      'The previous developer took a full-time job. The code is readable but has no tests, and ' +
      'payments and notifications are still missing.',
    extras: ['We have designs for every screen.', 'We hope to be in the App Store within two months.'],
    skills: ['Swift', 'SwiftUI', 'iOS Development'],
    moreSkills: ['StoreKit', 'Push Notifications', 'Firebase'],
    fixed: [3_000, 9_000],
    hourly: [45, 85],
    weeks: [4, 10],
    level: 'Expert',
    questions: [
      ['Have you finished an app that someone else began?', 'Three. I read for two days before I quote.'],
    ],
    pitch:
      "I've finished three apps that others began. I'd read the code for two days, then give you " +
      'a fixed price.',
  },
  {
    categories: APPS,
    titles: ['React Native developer for our {topic} app', 'React Native: push notifications and deep links'],
    tags: ['travel', 'food', 'learning', 'health'],
    body:
      'Our app exists and people use it, but messages do not reach them, and links open the browser ' +
      'instead of the app. Both should just work.',
    extras: ['The app is on React Native 0.74.', 'About 12,000 people use it every month.'],
    skills: ['React Native', 'TypeScript'],
    moreSkills: ['Expo', 'Firebase', 'iOS', 'Android'],
    fixed: [800, 3_000],
    hourly: [35, 70],
    weeks: [2, 5],
    level: 'Intermediate',
    questions: [
      ['How do you test push notifications?', 'On two real phones, with the app open, asleep and closed.'],
    ],
    pitch: 'I know both problems well: missing entitlements and an old link file cause most of them.',
  },
  {
    categories: APPS,
    titles: [
      'Bring our Android app up to the new store rules',
      'Kotlin developer for an overdue update ({biz})',
    ],
    tags: ['bookings', 'finance', 'travel'],
    body:
      'Google Play will stop showing our app unless it targets the newest Android version. Update ' +
      'it, fix what breaks, and publish it.',
    extras: ['The app has 14 screens.', 'There is a test account for each role.'],
    skills: ['Kotlin', 'Android'],
    moreSkills: ['Gradle', 'Jetpack Compose', 'Google Play Console'],
    fixed: [500, 1_800],
    weeks: [1, 3],
    level: 'Intermediate',
    questions: [],
    pitch:
      "I've done this update for five apps this year. Permissions and background work are what " +
      'usually breaks.',
  },
  {
    categories: APPS,
    titles: ['Loyalty app for {a}', 'Digital stamp card for {a}'],
    tags: ['food', 'shop'],
    body:
      'We want to replace paper stamp cards with a small app: scan at the till, collect, redeem. ' +
      'Our tills run on Square.',
    extras: ['One language, two platforms.', 'We have a logo and colors, but no screens yet.'],
    skills: ['Flutter', 'Firebase', 'UI Design'],
    moreSkills: ['Square API', 'Dart', 'Figma'],
    fixed: [2_500, 7_500],
    weeks: [5, 12],
    level: 'Intermediate',
    questions: [['Have you worked with Square?', 'Yes, its loyalty and terminal interfaces.']],
    pitch: 'I built a stamp card for a chain of cafés. The scan at the till has to take under two seconds.',
  },
];
