/** Made-up projects: data, automation, and keeping systems running. */
import type { ProjectBrief } from '../brief.ts';

const DATA = ['Data Science & Analytics', 'Data Engineering'];
const ANALYSIS = ['Data Science & Analytics', 'Data Analysis'];
const AUTOMATION = ['AI & Automation', 'Process Automation'];
const OPERATIONS = ['IT & Networking', 'DevOps Engineering'];

export const DATA_BRIEFS: readonly ProjectBrief[] = [
  {
    categories: ANALYSIS,
    titles: ['Forecast demand for {a}', 'Sales forecast for 400 products ({biz})'],
    tags: ['shop', 'food', 'factory'],
    body:
      'We order too much of some products and run out of others. We want a weekly forecast that we ' +
      'understand, so simple models come first.',
    extras: [
      'Three years of sales are available as CSV files.',
      'The result should be a sheet, not a dashboard.',
    ],
    skills: ['Python', 'Forecasting', 'pandas'],
    moreSkills: ['Statistics', 'SQL', 'Machine Learning'],
    fixed: [1_500, 5_000],
    weeks: [3, 8],
    level: 'Expert',
    questions: [
      [
        'How would you know that a forecast is good enough?',
        'It beats last year plus trend, on data it never saw.',
      ],
    ],
    pitch: "I'd begin with last year's numbers as the forecast to beat. It's often hard to beat.",
  },
  {
    categories: ANALYSIS,
    titles: ['Power BI dashboards for {a}', 'One dashboard instead of nine spreadsheets ({biz})'],
    tags: ['finance', 'property', 'factory', 'travel', 'health'],
    body:
      'Each Monday two people spend half a day on a report. The same numbers should be there at 7 ' +
      'AM, without anybody copying them.',
    extras: [
      'The data is in SQL Server and a few Excel files.',
      'Six people will read it, one will maintain it.',
    ],
    skills: ['Power BI', 'SQL', 'DAX'],
    moreSkills: ['Excel', 'Data Modeling', 'SQL Server'],
    fixed: [1_000, 4_000],
    hourly: [30, 65],
    weeks: [2, 8],
    level: 'Intermediate',
    questions: [
      ['How do you check that a dashboard is right?', 'Against three of the old reports, number by number.'],
    ],
    pitch: "I'd rebuild last Monday's report first, until every number matches. Then we improve it.",
  },
  {
    categories: DATA,
    titles: ['Data engineer: nightly loads keep failing', 'Fix our Airflow loads ({biz})'],
    tags: ['saas', 'finance'],
    body:
      'Our nightly loads run on Airflow and fail about twice a week, usually after midnight. We ' +
      'want to sleep, and to know why they failed.',
    extras: ['About 30 jobs, written by three people.', 'Snowflake is the target.'],
    skills: ['Airflow', 'Python', 'SQL'],
    moreSkills: ['Snowflake', 'dbt', 'AWS'],
    hourly: [50, 95],
    weeks: [4, 16],
    level: 'Expert',
    questions: [
      ['What makes a load safe to run twice?', 'It writes to a new place first and swaps at the end.'],
    ],
    pitch:
      'Loads that fail at night are usually not safe to run twice. I would fix that before anything else.',
  },
  {
    categories: DATA,
    titles: ['Match two customer databases for {a}', 'Clean up 60,000 customer records ({biz})'],
    tags: ['finance', 'property', 'charity', 'travel'],
    body:
      'After a merger we have two lists of customers with many duplicates and typos. We need one ' +
      'clean list, and a record of what was merged.',
    extras: [
      'Personal data must stay on our servers.',
      'You get a list of 500 pairs that we matched by hand.',
    ],
    skills: ['Python', 'Data Cleaning', 'SQL'],
    moreSkills: ['pandas', 'Record Linkage', 'Excel'],
    fixed: [700, 2_500],
    weeks: [2, 5],
    level: 'Intermediate',
    questions: [
      [
        'How do you deal with pairs that are probably the same?',
        'A person decides; I only sort them by risk.',
      ],
    ],
    pitch: "I've matched lists of 200,000 people. Unclear pairs go to a person, sorted by how sure we are.",
  },
  {
    categories: AUTOMATION,
    titles: ['Support assistant for {a}, based on our help pages', 'AI assistant for {topic} customers'],
    tags: ['saas', 'shop', 'travel'],
    body:
      'Half of our support questions are answered on our help pages. We want an assistant that ' +
      'answers those with a link, and hands over everything else.',
    extras: ['We use Zendesk.', 'It must say when it does not know.', 'We have 4,000 past conversations.'],
    skills: ['LLM Integration', 'Python', 'RAG'],
    moreSkills: ['Zendesk API', 'Vector Database', 'Prompt Engineering', 'TypeScript'],
    fixed: [3_000, 10_000],
    hourly: [55, 110],
    weeks: [4, 12],
    level: 'Expert',
    questions: [
      ['How would you measure whether its answers are right?', 'On 200 real questions, judged by your team.'],
    ],
    pitch: "I'd first build the test: 200 real questions with good answers. Then each change has a number.",
  },
  {
    categories: AUTOMATION,
    titles: ['Read incoming PDF invoices automatically ({biz})', 'Get supplier invoices out of our inbox'],
    tags: ['factory', 'food', 'property', 'finance'],
    body:
      'We receive about 80 invoices a day as PDF files, each with another layout. Supplier, date, ' +
      'total and tax should end up in a table that one person checks.',
    extras: ['Five suppliers make up half of it.', 'We use Microsoft 365.'],
    skills: ['Python', 'OCR', 'Automation'],
    moreSkills: ['Power Automate', 'LLM Integration', 'Azure'],
    fixed: [1_200, 4_500],
    weeks: [3, 7],
    level: 'Intermediate',
    questions: [
      ['What happens with an invoice that it cannot read?', 'It goes to a person, with the page beside it.'],
    ],
    pitch: 'I automated invoices for a wholesaler. 92% need no correction, and the others are easy to spot.',
  },
  {
    categories: AUTOMATION,
    titles: ['Make.com automations for {a}', 'Zapier cleanup and five new automations ({biz})'],
    tags: ['bookings', 'learning', 'charity', 'media', 'property'],
    body:
      'We have 40 automations, and nobody knows what half of them do. Tidy them up, write down what ' +
      'remains, and add five new ones.',
    extras: ['The tools are Airtable, Gmail, HubSpot and Slack.', 'We will show you everything on a call.'],
    skills: ['Make.com', 'Zapier', 'Airtable'],
    moreSkills: ['HubSpot', 'API Integration', 'Documentation'],
    fixed: [300, 1_200],
    hourly: [20, 50],
    weeks: [1, 4],
    level: 'Intermediate',
    questions: [],
    pitch: "I'd draw a map of what exists on the first day. Usually a third of it can simply go.",
  },
  {
    categories: DATA,
    titles: ['Collect public price data every day ({biz})', 'Daily price comparison for {a}'],
    tags: ['shop', 'travel'],
    body:
      'We want to see the public prices of eight competitors each morning, for about 300 products, ' +
      'and get an alert when one drops by more than 10%.',
    extras: ['Only public pages, and politely: once a day is enough.', 'Results go to Google Sheets.'],
    skills: ['Python', 'Web Scraping'],
    moreSkills: ['Playwright', 'Google Sheets API', 'AWS Lambda'],
    fixed: [400, 1_500],
    weeks: [1, 4],
    level: 'Intermediate',
    questions: [['How do you notice that a page has changed?', 'A product without a price raises an alert.']],
    pitch:
      'The collecting is easy; noticing that a page changed is the work. My scripts complain on ' +
      'the same day.',
  },
  {
    categories: OPERATIONS,
    titles: [
      'Move our servers to AWS, with little downtime',
      'DevOps engineer to set up deployments ({biz})',
    ],
    tags: ['saas', 'learning', 'shop'],
    body:
      'We deploy by copying files to a server, and every release is exciting. We want tests, a ' +
      'staging copy, and one button to release and to go back.',
    extras: ['Three services and one database.', 'GitHub Actions would be our choice.'],
    skills: ['AWS', 'Docker', 'GitHub Actions'],
    moreSkills: ['Terraform', 'PostgreSQL', 'Linux', 'Nginx'],
    fixed: [2_000, 7_000],
    hourly: [50, 100],
    weeks: [3, 10],
    level: 'Expert',
    questions: [
      [
        'How would you go back after a bad release?',
        'The old version keeps running until the new one is healthy.',
      ],
    ],
    pitch: "I'd make going back work before going forward. After that, releases become boring.",
  },
  {
    categories: OPERATIONS,
    titles: ['Security check of our web app ({biz})', 'Penetration test for {a}'],
    tags: ['finance', 'health', 'saas'],
    body:
      'A large customer asks for a security test by someone independent. We need the test, a ' +
      'report they will accept, and a second look after the fixes.',
    extras: ['One web app and its API, two roles.', 'The report is due in five weeks.'],
    skills: ['Penetration Testing', 'OWASP'],
    moreSkills: ['Burp Suite', 'API Security', 'Technical Writing'],
    fixed: [2_500, 8_000],
    weeks: [2, 5],
    level: 'Expert',
    questions: [['May we see a report without names?', 'Yes, I have attached one of 18 pages.']],
    pitch: 'I test about ten web apps a year. My reports have been accepted by two banks.',
  },
  {
    categories: ANALYSIS,
    titles: ['Set up GA4 for {a}', 'Fix our web tracking ({biz})'],
    tags: ['shop', 'travel', 'learning', 'charity', 'bookings'],
    body:
      'Our numbers in Google Analytics do not match our sales. Set up tracking properly, with ' +
      'consent, and explain to us how to read it.',
    extras: ['We use Google Tag Manager.', 'A one-hour training is part of it.'],
    skills: ['Google Analytics', 'Google Tag Manager'],
    moreSkills: ['Looker Studio', 'Consent Management', 'SQL'],
    fixed: [250, 900],
    weeks: [1, 2],
    level: 'Intermediate',
    questions: [],
    pitch:
      "I'd compare one week of orders with one week of tracking, line by line. That shows what is missing.",
  },
];
