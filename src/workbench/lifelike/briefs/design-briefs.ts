/** Made-up projects: design, writing, and marketing. */
import type { ProjectBrief } from '../brief.ts';

const BRAND = ['Design & Creative', 'Brand Identity Design'];
const GRAPHIC = ['Design & Creative', 'Graphic Design'];
const PRODUCT = ['Design & Creative', 'UX/UI Design'];
const VIDEO = ['Design & Creative', 'Video Editing'];
const WRITING = ['Writing', 'Content Writing'];
const MARKETING = ['Sales & Marketing', 'Digital Marketing'];

export const DESIGN_BRIEFS: readonly ProjectBrief[] = [
  {
    categories: BRAND,
    titles: ['Logo and brand guide for {a}', 'New logo for {a}'],
    tags: ['food', 'health', 'travel', 'charity', 'property', 'field'],
    body:
      'Our logo is older than most of our staff. We would like a new one, with colors, type and a ' +
      'short guide, that still feels like us.',
    extras: [
      'Two rounds of changes are included.',
      'We own all source files at the end.',
      'It must work on a sign.',
    ],
    skills: ['Logo Design', 'Brand Identity', 'Adobe Illustrator'],
    moreSkills: ['Typography', 'Figma', 'Print Design'],
    fixed: [300, 2_500],
    weeks: [2, 5],
    level: 'Intermediate',
    questions: [
      [
        'Which of your logos are you proud of, and why?',
        'The ferry line: it works at 12 pixels and on a hull.',
      ],
    ],
    pitch:
      "I'd start with your oldest customers: what should stay? Then you see three directions in " +
      'black and white.',
  },
  {
    categories: GRAPHIC,
    titles: ['Packaging for {a}: four products', 'Package design for {a}'],
    tags: ['food', 'shop'],
    body:
      'We are launching four new products and need packaging that people notice on a shelf and prints ' +
      'well. Texts and sizes are final.',
    extras: ['Please show food or beauty packaging you made.', 'The printer needs files in six weeks.'],
    skills: ['Packaging Design', 'Adobe Illustrator'],
    moreSkills: ['Print Design', 'InDesign', '3D Mockups'],
    fixed: [600, 3_500],
    weeks: [3, 6],
    level: 'Expert',
    questions: [
      ['Have you worked with a printer on packaging?', 'Yes, three of my packages are in supermarkets.'],
    ],
    pitch:
      'Three of my packages are in supermarkets right now. I talk to the printer before the first sketch.',
  },
  {
    categories: PRODUCT,
    titles: ['Product designer for {a}', 'Figma designer for {a}, part time'],
    tags: ['saas'],
    body:
      'Our product works well but looks like engineers designed it, which they did. We need a ' +
      'designer who talks to customers and works in small steps with us.',
    extras: ['You would interview five customers; we invite them.', 'We have a small design system.'],
    skills: ['Figma', 'UX Design', 'User Research'],
    moreSkills: ['Design Systems', 'Prototyping', 'Accessibility'],
    hourly: [45, 90],
    weeks: [12, 30],
    level: 'Expert',
    questions: [
      ['Tell us about a design that did not work.', 'A wizard that experts hated. We added a fast lane.'],
    ],
    pitch: "I work in the same small steps as your engineers, and I'd begin with five customer calls.",
  },
  {
    categories: PRODUCT,
    titles: ['Usability review of our {topic} website', 'Why do visitors of our {topic} site not book?'],
    tags: ['bookings', 'shop', 'travel'],
    body:
      'Many people visit our site, and few of them do what we hope. Test it with five people and ' +
      'tell us what to change, most important first.',
    extras: ['A short video of each test would help us.', 'Ten pages at most, please.'],
    skills: ['Usability Testing', 'UX Research'],
    moreSkills: ['Figma', 'Conversion Optimization', 'Report Writing'],
    fixed: [400, 1_800],
    weeks: [1, 4],
    level: 'Intermediate',
    questions: [],
    pitch:
      'Five tests, one page of findings, sorted by what costs you most. I can start recruiting this week.',
  },
  {
    categories: PRODUCT,
    titles: ['Design system in Figma for {a}', 'Accessible components for our {topic} product'],
    tags: ['finance', 'saas', 'health'],
    body:
      'Each of our screens has its own buttons. We want one set of components in Figma, accessible ' +
      'and documented, that our developers can follow.',
    extras: ['Contrast and keyboard use must meet WCAG 2.2 AA.', 'About 40 components.'],
    skills: ['Figma', 'Design Systems', 'Accessibility'],
    moreSkills: ['UI Design', 'Design Tokens', 'Documentation'],
    fixed: [3_000, 9_000],
    weeks: [5, 14],
    level: 'Expert',
    questions: [
      ['How do you keep design and code in step?', 'The same names and tokens, and a review each week.'],
    ],
    pitch: "I've built three systems that are still in use, because developers helped to name every part.",
  },
  {
    categories: GRAPHIC,
    titles: ['Illustrations for {a}', 'Twelve illustrations in one style ({biz})'],
    tags: ['media', 'learning', 'charity'],
    body:
      'We are looking for an illustrator with a warm, simple style. The first job is a set of ' +
      'twelve pictures, and there will be more if we enjoy working together.',
    extras: ['Deadline is in eight weeks.', 'Please send three examples of your own style.'],
    skills: ['Illustration', 'Adobe Illustrator'],
    moreSkills: ['Procreate', 'Character Design', 'Photoshop'],
    fixed: [600, 3_000],
    weeks: [4, 8],
    level: 'Intermediate',
    questions: [['Which three examples fit us best?', 'The fox, the market and the night train.']],
    pitch: 'Warm and simple is what I draw. I attach three pages of a picture book that came out in May.',
  },
  {
    categories: GRAPHIC,
    titles: ['Layout of a 40-page annual report ({biz})', 'Annual report design for {a}'],
    tags: ['charity', 'finance', 'factory'],
    body:
      'Texts and figures are final, and the report should be a pleasure to read, in print and as an ' +
      'accessible PDF file.',
    extras: ['We have a brand guide.', 'Twelve charts need a redesign.'],
    skills: ['InDesign', 'Layout Design'],
    moreSkills: ['Data Visualization', 'Accessible PDF', 'Print Design'],
    fixed: [500, 2_200],
    weeks: [2, 5],
    level: 'Intermediate',
    questions: [],
    pitch:
      'I set about six reports a year. The charts come first, because they decide the rhythm of the pages.',
  },
  {
    categories: VIDEO,
    titles: ['Video editor for {a}, weekly', 'Edit short videos for {a}'],
    tags: ['media', 'learning', 'food', 'charity', 'health'],
    body:
      'We record a lot and publish little. Each week we would send you an hour of material, and get ' +
      'back one video of eight minutes and three short ones.',
    extras: ['Captions are part of it.', 'We have an intro, music and fonts.'],
    skills: ['Video Editing', 'Adobe Premiere Pro'],
    moreSkills: ['After Effects', 'Captions', 'Color Grading'],
    hourly: [18, 45],
    weeks: [16, 48],
    level: 'Intermediate',
    questions: [['How long would you need for one week of material?', 'About nine hours, with captions.']],
    pitch:
      'I edit for two channels of your kind, with a fixed day for delivery and captions that are ' +
      'checked by hand.',
  },
  {
    categories: WRITING,
    titles: ['Rewrite the website texts of {a}', 'Copywriter for our {topic} website'],
    tags: ['health', 'finance', 'property', 'travel', 'field', 'bookings'],
    body:
      'Our website says what we do, but not why anybody should care. We need twelve pages in clear, ' +
      'friendly English, without big words.',
    extras: ['You can interview two of us.', 'SEO matters, but people come first.'],
    skills: ['Copywriting', 'Website Content'],
    moreSkills: ['SEO Writing', 'Editing', 'Interviewing'],
    fixed: [350, 1_500],
    weeks: [1, 4],
    level: 'Intermediate',
    questions: [
      ['Please send one text before and after you edited it.', 'Attached: a dentist, 400 words, then 180.'],
    ],
    pitch:
      "I'd talk to two of your customers first and use their words. They explain it better than any of us.",
  },
  {
    categories: WRITING,
    titles: ['Technical writer for {a}', 'Write the API docs of {a}'],
    tags: ['saas', 'factory', 'finance'],
    body:
      'Our support team answers the same questions every day, because the documentation is thin. We ' +
      'need guides that start with what people want to do.',
    extras: ['The docs live in Git, as Markdown.', 'Engineers review within a day.'],
    skills: ['Technical Writing', 'Documentation'],
    moreSkills: ['Markdown', 'API Documentation', 'OpenAPI', 'Git'],
    hourly: [35, 75],
    weeks: [6, 26],
    level: 'Expert',
    questions: [
      ['Which documentation of yours can we read?', 'The guides of a payment library; the link is below.'],
    ],
    pitch: "I'd read 100 of your support tickets first. They are the table of contents.",
  },
  {
    categories: MARKETING,
    titles: ['Google Ads for {a}', 'Paid search specialist for {a}'],
    tags: ['bookings', 'shop', 'field', 'travel', 'health'],
    body:
      'We spend about $3,000 a month on Google Ads and cannot say what it brings. Review the ' +
      'account, cut what is wasted, and run it with a short report each month.',
    extras: ['Tracking of phone calls is missing.', 'We would like to start with one month.'],
    skills: ['Google Ads', 'PPC'],
    moreSkills: ['Google Analytics', 'Landing Pages', 'Keyword Research'],
    hourly: [25, 65],
    weeks: [13, 40],
    level: 'Intermediate',
    questions: [
      [
        'What would you check in the first hour?',
        'Search terms, locations, and what counts as a conversion.',
      ],
    ],
    pitch:
      'In most accounts a third of the money goes to searches that never buy. I would show you ' +
      'yours within a day.',
  },
  {
    categories: MARKETING,
    titles: ['Email marketing for {a}', 'Klaviyo flows for {a}'],
    tags: ['shop', 'food', 'learning', 'travel'],
    body:
      'We have 14,000 subscribers and write to them twice a year. Set up the usual automatic ' +
      'emails, and one newsletter a month that people like to open.',
    extras: ['Texts and photos come from us.', 'We use Klaviyo.'],
    skills: ['Email Marketing', 'Klaviyo'],
    moreSkills: ['Copywriting', 'HTML Email', 'A/B Testing'],
    fixed: [400, 1_800],
    hourly: [25, 60],
    weeks: [4, 16],
    level: 'Intermediate',
    questions: [],
    pitch: 'I start with the welcome emails: they bring about half of what a shop ever earns by email.',
  },
  {
    categories: MARKETING,
    titles: ['SEO audit for {a}', 'Why has our {topic} site lost its rankings?'],
    tags: ['media', 'travel', 'property', 'shop', 'learning'],
    body:
      'Since spring our visitors from Google have dropped by 40%. Find out why, and give us a list ' +
      'of changes that our developer can work through.',
    extras: ['You get access to Search Console.', 'No link building, please.'],
    skills: ['SEO', 'Technical SEO'],
    moreSkills: ['Screaming Frog', 'Google Search Console', 'Content Strategy'],
    fixed: [250, 1_200],
    weeks: [1, 3],
    level: 'Intermediate',
    questions: [
      ['Have you seen a drop like this before?', 'Twice: once it was a relaunch without redirects.'],
    ],
    pitch:
      "I'd compare the pages that dropped with those that didn't. After that, the cause is usually plain.",
  },
  {
    categories: ['Admin Support', 'Virtual Assistance'],
    titles: ['Virtual assistant for {a}, ten hours a week', 'Help with email and calendar ({biz})'],
    tags: ['bookings', 'property', 'learning', 'field', 'charity'],
    body:
      'We need a friendly person for email, appointments and small research tasks, mostly in the ' +
      'morning of our time zone.',
    extras: ['We use Google Workspace.', 'A paid trial week comes first.'],
    skills: ['Administrative Support', 'Email Communication'],
    moreSkills: ['Google Workspace', 'Scheduling', 'Research'],
    hourly: [8, 20],
    weeks: [20, 52],
    level: 'Entry Level',
    questions: [['Which hours of the day do you work?', '8 AM to 2 PM in your time zone.']],
    pitch:
      'I support two small companies each morning, and I answer the last email of the day on the same day.',
  },
];
