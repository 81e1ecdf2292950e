/** Where the made-up clients are. */
export interface ClientLocation {
  readonly country: string;
  readonly cities: readonly string[];
  readonly timezone: string;
  /** Minutes east of UTC, in winter. */
  readonly utcOffsetMinutes: number;
}

export const CLIENT_LOCATIONS: readonly ClientLocation[] = [
  {
    country: 'United States',
    cities: ['Austin', 'Portland', 'Columbus', 'Tampa'],
    timezone: 'America/Chicago',
    utcOffsetMinutes: -360,
  },
  {
    country: 'United States',
    cities: ['San Diego', 'Seattle', 'Reno'],
    timezone: 'America/Los_Angeles',
    utcOffsetMinutes: -480,
  },
  {
    country: 'United Kingdom',
    cities: ['Leeds', 'Bristol', 'Glasgow'],
    timezone: 'Europe/London',
    utcOffsetMinutes: 0,
  },
  {
    country: 'Germany',
    cities: ['Hamburg', 'Leipzig', 'Köln'],
    timezone: 'Europe/Berlin',
    utcOffsetMinutes: 60,
  },
  { country: 'France', cities: ['Lyon', 'Nantes'], timezone: 'Europe/Paris', utcOffsetMinutes: 60 },
  {
    country: 'Netherlands',
    cities: ['Utrecht', 'Rotterdam'],
    timezone: 'Europe/Amsterdam',
    utcOffsetMinutes: 60,
  },
  { country: 'Sweden', cities: ['Göteborg', 'Malmö'], timezone: 'Europe/Stockholm', utcOffsetMinutes: 60 },
  { country: 'Spain', cities: ['Valencia', 'Málaga'], timezone: 'Europe/Madrid', utcOffsetMinutes: 60 },
  { country: 'Canada', cities: ['Calgary', 'Montréal'], timezone: 'America/Toronto', utcOffsetMinutes: -300 },
  {
    country: 'Brazil',
    cities: ['São Paulo', 'Recife'],
    timezone: 'America/Sao_Paulo',
    utcOffsetMinutes: -180,
  },
  {
    country: 'Australia',
    cities: ['Brisbane', 'Perth'],
    timezone: 'Australia/Brisbane',
    utcOffsetMinutes: 600,
  },
  { country: 'India', cities: ['Pune', 'Bengaluru'], timezone: 'Asia/Kolkata', utcOffsetMinutes: 330 },
  { country: 'Singapore', cities: ['Singapore'], timezone: 'Asia/Singapore', utcOffsetMinutes: 480 },
  { country: 'Japan', cities: ['Osaka', 'Fukuoka'], timezone: 'Asia/Tokyo', utcOffsetMinutes: 540 },
  { country: 'Israel', cities: ['Haifa', 'Tel Aviv'], timezone: 'Asia/Jerusalem', utcOffsetMinutes: 120 },
  {
    country: 'United Arab Emirates',
    cities: ['Dubai', 'Sharjah'],
    timezone: 'Asia/Dubai',
    utcOffsetMinutes: 240,
  },
  {
    country: 'South Africa',
    cities: ['Durban', 'Cape Town'],
    timezone: 'Africa/Johannesburg',
    utcOffsetMinutes: 120,
  },
  { country: 'Poland', cities: ['Wrocław', 'Gdańsk'], timezone: 'Europe/Warsaw', utcOffsetMinutes: 60 },
];

export const INDUSTRIES = [
  'Retail',
  'Health & Fitness',
  'Finance & Accounting',
  'Real Estate',
  'Education',
  'Tech & IT',
  'Food & Beverage',
  'Manufacturing',
  'Media & Entertainment',
  'Travel & Hospitality',
] as const;

export const COMPANY_SIZES = ['Individual', '2-9', '10-99', '100-999', '1,000+'] as const;
