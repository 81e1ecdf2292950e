/** Made-up texts: cover letters, answers, invitations, feedback, verdicts. */
export const COVER_LETTERS = [
  "Hello, I've built two booking systems like yours. " +
    "The hardest part was the calendar sync, so I'd start there. Could I see the list of known issues?",
  'Hi! Your nine-second load time most likely comes from the product images. ' +
    "I'd measure first, then fix the three slowest pages within a week.",
  'Hi, our team of four has finished eleven projects like this. ' +
    "You'd have one point of contact, a plan by Friday, and a working version every week.",
  'Hello, I read your brief twice. ' +
    'One question before I quote: who will look after the data after the move? ' +
    "I've done this for a retailer with 300 stores.",
  "Hi team, I'm a designer with nine years in food and beverage. " +
    "Three of my packages are in supermarkets right now. I've attached photos.",
  'Hi, I can start on Monday and work 9 to 5 in your time zone. ' +
    "I'd write the tests first, so that later changes are safe.",
  'Hello, I know this API well: I wrote its unofficial guide. ' +
    "Two of the calls you need have limits that are easy to miss. I'd plan around them.",
  'Thank you for the clear description. ' +
    "I'd split the work into three parts, each with its own price, so you can stop after any of them.",
] as const;

export const SCREENING_QUESTIONS = [
  'What part of this project do you expect to be the hardest?',
  'Describe a similar project and what you did in it.',
  'When could you start, and how many hours a week do you have?',
  'Which tools would you use, and why?',
  'Please link to two similar pieces of work.',
  'How do you test your work before you hand it over?',
  'Do you agree to a paid trial of five hours?',
  'What would you ask us before starting?',
  'Which time zone do you work in?',
  'What is your rate for changes after the project ends?',
] as const;

export const SCREENING_ANSWERS = [
  'Moving the old data. It has no documentation, so I would write some first.',
  'I could start within three days and have 25 hours a week.',
  'A store with 12,000 products. I built the back end and the payments on my own.',
  'Automated tests for each rule, and a checklist you can go through yourself.',
  'Yes, a paid trial is fine with me.',
  'Who decides when two requirements conflict?',
] as const;

export const INVITATION_LETTERS = [
  'Hello! Your profile fits what we are looking for. Do you have time for a short call this week?',
  'Hi, we liked the museum project in your portfolio and need something similar. Are you free in March?',
  'We have a small but urgent job and heard good things about you. Please have a look.',
  "One of your former clients recommended your work. We'd love to get a proposal from you.",
] as const;

export const INVITATION_STATUSES = ['Pending', 'Accepted', 'Declined', 'Expired'] as const;

export const FEEDBACK_TO_FREELANCER = [
  'Fast, friendly, and precise. Would hire again.',
  'Good work, though the last part was a week late.',
  'Understood right away what we needed.',
  'Communication could have been better, but the result is good.',
  'Outstanding. Thought of things we had missed.',
  '',
] as const;

export const FEEDBACK_TO_CLIENT = [
  'Clear brief, quick replies, paid on time.',
  'A pleasure to work with.',
  'Changed the scope twice, but paid for it.',
  '',
] as const;

export const QUALIFIED_VERDICT_REASONS = [
  'The skills match the profile, and the budget is above the threshold.',
  'Returning client with a high hire rate and a clear scope.',
  'The team has done exactly this twice this year.',
] as const;

export const DISQUALIFIED_VERDICT_REASONS = [
  'The budget is far below the usual rate.',
  'The client has posted 14 jobs and never hired anyone.',
  'Needs on-site work in another country.',
] as const;
