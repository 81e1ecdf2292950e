/** What made-up people write: letters, answers, invitations, feedback, verdicts. */
export const COVER_LETTERS = [
  'Hello, I have built two booking systems like yours. The hardest part was the calendar sync, and I would begin there. May I see the list of known faults?',
  'Hi! Your nine-second load time most likely comes from the product images. I would measure first, then fix the three slowest pages within a week.',
  'Good day, our team of four has finished eleven projects of this kind. You would have one contact, a plan by Friday and a working version every week.',
  'Hello, I read your brief twice. One question before I quote: who looks after the data once it has moved? I have done this for a retailer with 300 shops.',
  'Dear team, I am a designer with nine years in food and drink. Three boxes that I drew stand in supermarkets now; pictures are attached.',
  'Hi, I can start on Monday and work from 9 to 17 in your time zone. I would write the tests first, because nobody can change what nobody can check.',
  'Hello, I know this API well: I wrote its unofficial guide. Two of the calls you need have limits that are easy to miss, I would plan around them.',
  'Thank you for the clear description. I would split the work in three parts with a price each, so that you may stop after any of them.',
] as const;

export const SCREENING_QUESTIONS = [
  'What part of this project do you expect to be the hardest?',
  'Describe a similar project and what you did in it.',
  'When could you start, and how many hours a week do you have?',
  'Which tools would you use, and why these?',
  'Please link two pieces of work that fit.',
  'How do you test your work before you hand it over?',
  'Do you agree to a paid trial of five hours?',
  'What would you ask us before beginning?',
  'Which time zone do you work in?',
  'What is your rate for changes after the end of the project?',
] as const;

export const ANSWERS = [
  'The move of the old data: it has no documentation, so I would write some first.',
  'I could start within three days and have 25 hours a week.',
  'A shop with 12,000 articles. I did the back end and the payments alone.',
  'Automatic tests for each rule, and a list that you can tick off by hand.',
  'Yes, a paid trial is fine with me.',
  'Who decides when two wishes contradict each other?',
] as const;

export const INVITATION_LETTERS = [
  'Hello! Your profile fits what we are looking for. Would you have time for a short call this week?',
  'Hi, we liked the project with the museum in your portfolio and need something similar. Are you free in March?',
  'We have a small but urgent job and heard good things about you. Please have a look.',
  'Your work was recommended by a former client of yours. We would be glad about a proposal.',
] as const;

export const INVITATION_STATUSES = ['Pending', 'Accepted', 'Declined', 'Expired'] as const;

export const FEEDBACK = [
  'Fast, friendly and exact. Would hire again.',
  'Good work, although the last part came a week late.',
  'Understood at once what we needed.',
  'Communication could have been better, the result is fine.',
  'Outstanding. Thought of things that we had missed.',
  '',
] as const;

export const FEEDBACK_TO_CLIENT = [
  'Clear brief, quick answers, paid on time.',
  'A pleasure to work with.',
  'Changed the scope twice, but paid for it.',
  '',
] as const;

export const GOOD_REASONS = [
  'The skills match the profile and the budget is above the threshold.',
  'A returning client with a high hire rate; the scope is clear.',
  'Asks for exactly what the team has done twice this year.',
] as const;

export const BAD_REASONS = [
  'The budget is far below the usual rate.',
  'The client has posted 14 jobs and hired nobody.',
  'Needs on-site work in another country.',
] as const;
