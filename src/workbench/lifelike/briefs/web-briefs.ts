/** Made-up projects: websites and web applications. */
import type { ProjectBrief } from '../brief.ts';

const FULL_STACK = ['Web Development', 'Full Stack Development'];
const FRONT_END = ['Web Development', 'Front-End Development'];
const BACK_END = ['Web Development', 'Back-End Development'];

export const WEB_BRIEFS: readonly ProjectBrief[] = [
  {
    categories: FULL_STACK,
    titles: [
      'Online booking for {a}',
      'Build a booking page for {a}',
      'Full-stack developer for {topic} bookings',
    ],
    tags: ['bookings'],
    body:
      'People still call us to make an appointment, and we miss calls every day. We want them to ' +
      'book, move and cancel online, with a reminder by text message.',
    extras: [
      'Staff calendars are in Google Calendar and must stay in sync.',
      'We have a simple sketch of every screen.',
      'Deposits go through Stripe.',
    ],
    skills: ['React', 'Node.js', 'PostgreSQL'],
    moreSkills: ['Stripe API', 'Google Calendar API', 'TypeScript', 'Twilio API'],
    fixed: [3_000, 9_000],
    hourly: [40, 80],
    weeks: [4, 12],
    level: 'Intermediate',
    questions: [
      [
        'Which booking system have you built, and what was hard about it?',
        'One for a clinic: time zones were hard.',
      ],
      [
        'How would you prevent double bookings?',
        'With a lock on the slot in the database, not in the browser.',
      ],
    ],
    pitch: "I've built two booking systems. The calendar sync is the risky part, so I'd start there.",
  },
  {
    categories: FULL_STACK,
    titles: ['Customer portal for {a} in React and Node', 'Rebuild our customer portal ({biz})'],
    tags: ['finance', 'property', 'factory', 'field'],
    body:
      'Customers email us for every document and every status update. They should log in, see where ' +
      'the work is, and download their documents.',
    extras: [
      'There is an API for the data, with documentation.',
      'Our designer has finished the main screens.',
      'About 2,000 customers would use it in the first year.',
    ],
    skills: ['React', 'Node.js', 'TypeScript'],
    moreSkills: ['PostgreSQL', 'REST API', 'AWS', 'OAuth'],
    fixed: [6_000, 18_000],
    hourly: [45, 90],
    weeks: [8, 20],
    level: 'Expert',
    questions: [
      [
        'Which customer portal of yours can we look at?',
        'The portal of a freight company, with 3,000 users.',
      ],
    ],
    pitch:
      "Our last portal cut a freight company's support email by half. I can show you the screens on a call.",
  },
  {
    categories: FRONT_END,
    titles: [
      'Make our {topic} website fast again',
      'Our {topic} site takes nine seconds to load: please fix',
    ],
    tags: ['bookings', 'travel', 'property', 'charity', 'media'],
    body:
      'Our website has become very slow, and we see people leave before the first page appears. ' +
      'Find out why, tell us in plain words, and fix the worst causes.',
    extras: ['The site runs on WordPress with 24 plugins.', 'We measure with Lighthouse; today we score 31.'],
    skills: ['Web Performance', 'JavaScript'],
    moreSkills: ['WordPress', 'CSS', 'PHP', 'Cloudflare'],
    fixed: [300, 1_500],
    hourly: [25, 60],
    weeks: [1, 3],
    level: 'Intermediate',
    questions: [['What is usually the first thing you look at?', 'The network trace on a slow phone.']],
    pitch:
      "I'd measure first, then fix the three slowest pages within a week, and show you before and after.",
  },
  {
    categories: FULL_STACK,
    titles: ['Add subscriptions and invoices to our product', 'Stripe billing for {a}'],
    tags: ['saas', 'learning'],
    body:
      'We still send invoices by hand. We need plans, trials, upgrades, and invoices with the right ' +
      'tax, all through Stripe.',
    extras: [
      'Refunds must stay possible from our admin page.',
      'The app is written in Django.',
      'Tests are a must.',
    ],
    skills: ['Stripe API', 'Python', 'Django'],
    moreSkills: ['PostgreSQL', 'Celery', 'REST API'],
    fixed: [2_500, 7_000],
    hourly: [50, 95],
    weeks: [3, 10],
    level: 'Expert',
    questions: [['How do you test webhooks?', 'With recorded events, replayed twice and out of order.']],
    pitch: "I've moved four products to Stripe Billing, and webhooks that arrive twice won't surprise me.",
  },
  {
    categories: FRONT_END,
    titles: [
      'Senior React engineer for {a}, long term',
      'React and TypeScript developer, 30 hours a week ({biz})',
    ],
    tags: ['saas'],
    body:
      "You'd join two engineers and a designer and own parts of the front end. We ship every week " +
      'and review each change together.',
    extras: ['We overlap four hours a day with New York.', 'Accessibility matters to our customers.'],
    skills: ['React', 'TypeScript', 'CSS'],
    moreSkills: ['GraphQL', 'Next.js', 'Playwright', 'Storybook'],
    hourly: [50, 100],
    weeks: [26, 52],
    level: 'Expert',
    questions: [
      [
        'Describe a change you made to code you did not know.',
        'I added offline mode to a five-year-old app.',
      ],
      ['When could you start?', 'In two weeks, with 30 hours a week.'],
    ],
    pitch:
      "I've worked in teams of your size for six years, with small pull requests and tests in each of them.",
  },
  {
    categories: FULL_STACK,
    titles: ['Next.js site with a headless CMS for {a}', 'New website for {a} in Next.js'],
    tags: ['charity', 'media', 'food', 'travel', 'learning'],
    body:
      'Our editors wait for a developer to change a headline. We want a fast new site that they can ' +
      'edit themselves, with the design we already have in Figma.',
    extras: [
      'About 60 pages move over.',
      'Two languages from the start.',
      'We like Sanity, but are open to others.',
    ],
    skills: ['Next.js', 'React', 'Sanity'],
    moreSkills: ['TypeScript', 'Figma', 'SEO', 'Vercel'],
    fixed: [3_500, 11_000],
    weeks: [4, 12],
    level: 'Intermediate',
    questions: [
      ['Please link to two sites with a CMS that you built.', 'Links are in my portfolio, items 2 and 5.'],
    ],
    pitch: 'I build sites that editors like: previews, drafts, and no way to break the layout.',
  },
  {
    categories: BACK_END,
    titles: [
      'Move a PHP system to services, step by step',
      'Laravel developer to tidy up our {topic} back end',
    ],
    tags: ['shop', 'travel', 'property'],
    body:
      'Our back end grew for nine years and nobody likes to touch it. We want to take it apart ' +
      'carefully, beginning with orders, while everything keeps running.',
    extras: ['There is a staging server and a list of known issues.', 'No big rewrite, please.'],
    skills: ['PHP', 'Laravel', 'MySQL'],
    moreSkills: ['Docker', 'Redis', 'REST API', 'PHPUnit'],
    hourly: [35, 75],
    weeks: [16, 40],
    level: 'Expert',
    questions: [
      ['How would you start with code that has no tests?', 'Record what it does today, then change it.'],
    ],
    pitch:
      "I'd put tests around the order code first, so each step is safe and you can stop after any of them.",
  },
  {
    categories: FRONT_END,
    titles: ['Fix 30 small layout bugs on our {topic} site', 'CSS expert for a list of layout fixes ({biz})'],
    tags: ['shop', 'bookings', 'learning', 'charity'],
    body:
      'A small, clear job: we have a spreadsheet with 30 layout problems, each with a screenshot, ' +
      'most of them on phones.',
    extras: ['The site uses plain CSS and a bit of jQuery.', 'We pay per finished batch of ten.'],
    skills: ['CSS', 'HTML', 'Responsive Design'],
    moreSkills: ['JavaScript', 'jQuery', 'Sass'],
    fixed: [150, 600],
    weeks: [1, 2],
    level: 'Entry Level',
    questions: [],
    pitch:
      "I can do the first ten within two days. I test on real phones, not only in a browser's simulator.",
  },
  {
    categories: BACK_END,
    titles: ['Connect our {topic} shop to our accounting software', 'Sync orders to Xero ({biz})'],
    tags: ['shop', 'food'],
    body:
      'Someone here types every order into Xero by hand. We want orders, refunds and taxes to ' +
      'arrive there on their own, and a message when something does not match.',
    extras: [
      'About 150 orders a day.',
      'The last attempt created duplicates, so please say how you avoid them.',
    ],
    skills: ['API Integration', 'Node.js'],
    moreSkills: ['Xero API', 'Python', 'Shopify API', 'Webhooks'],
    fixed: [900, 3_500],
    weeks: [2, 6],
    level: 'Intermediate',
    questions: [
      ['How do you avoid duplicates when a sync runs twice?', 'Each order has a key that is stored first.'],
    ],
    pitch: "I've connected three shops to Xero. Every order gets a key, so running it twice changes nothing.",
  },
  {
    categories: FULL_STACK,
    titles: ['Internal tool for {a}: schedules and vans', 'Web app to plan the week of {a}'],
    tags: ['field', 'factory'],
    body:
      'We plan the week in a spreadsheet that only one person understands. We want a web app that ' +
      'shows who is where, warns about conflicts, and works on a phone in a van.',
    extras: ['About 25 people will use it.', 'You can spend a day with our planner on video.'],
    skills: ['Vue.js', 'TypeScript', 'PostgreSQL'],
    moreSkills: ['Node.js', 'Docker', 'Maps API', 'UX Design'],
    fixed: [7_000, 20_000],
    weeks: [10, 24],
    level: 'Expert',
    questions: [
      ['What would you ask our planner first?', 'What goes wrong in a normal week, and who notices.'],
    ],
    pitch:
      "I'd sit with your planner for a day before writing any code. The exceptions are the real project.",
  },
  {
    categories: ['Web Development', 'CMS Development'],
    titles: ['WordPress help, about five hours a week ({biz})', 'Look after the WordPress site of {a}'],
    tags: ['charity', 'media', 'bookings', 'property', 'travel'],
    body:
      'We need someone reliable for updates, backups and small changes. Most weeks there is little ' +
      'to do, and once a month something breaks.',
    extras: ['We use Elementor and WooCommerce.', 'Replies within a day are fine.'],
    skills: ['WordPress', 'PHP'],
    moreSkills: ['Elementor', 'WooCommerce', 'CSS', 'SEO'],
    hourly: [15, 35],
    weeks: [26, 52],
    level: 'Intermediate',
    questions: [
      ['What do you check before you update a plugin?', 'A backup, the changelog, and a copy of the site.'],
    ],
    pitch:
      'I look after eleven WordPress sites. Updates go to a copy first, and I write down what I changed.',
  },
  {
    categories: BACK_END,
    titles: ['Speed up a slow Django report', 'PostgreSQL expert: two reports take a minute'],
    tags: ['saas', 'finance', 'learning'],
    body:
      'Two pages of our app take up to a minute for large customers. We know which queries are ' +
      'slow, but not how to make them fast.',
    extras: ['You get a copy of the database without personal data.', 'The tables have 40 million rows.'],
    skills: ['PostgreSQL', 'SQL', 'Python'],
    moreSkills: ['Django', 'Query Optimization', 'AWS RDS'],
    fixed: [500, 2_000],
    hourly: [60, 110],
    weeks: [1, 3],
    level: 'Expert',
    questions: [
      ['What do you look at first in a query plan?', 'Where the estimated and real row counts differ.'],
    ],
    pitch: 'I do little else than slow queries. Most get fast with one index and one rewritten join.',
  },
];
