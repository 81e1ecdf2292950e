/** Where the made-up clients are: cities in their real time zones, busier countries more often. */
export interface ClientPlace {
  readonly country: string;
  readonly city: string;
  readonly timezone: string;
}

const PLACES: readonly (readonly [string, string, string])[] = [
  ['United States', 'Austin', 'America/Chicago'],
  ['United States', 'Minneapolis', 'America/Chicago'],
  ['United States', 'Columbus', 'America/New_York'],
  ['United States', 'Tampa', 'America/New_York'],
  ['United States', 'Boston', 'America/New_York'],
  ['United States', 'Portland', 'America/Los_Angeles'],
  ['United States', 'San Diego', 'America/Los_Angeles'],
  ['United States', 'Seattle', 'America/Los_Angeles'],
  ['United States', 'Denver', 'America/Denver'],
  ['United Kingdom', 'Leeds', 'Europe/London'],
  ['United Kingdom', 'Bristol', 'Europe/London'],
  ['United Kingdom', 'Glasgow', 'Europe/London'],
  ['Canada', 'Calgary', 'America/Edmonton'],
  ['Canada', 'Montréal', 'America/Toronto'],
  ['Australia', 'Brisbane', 'Australia/Brisbane'],
  ['Australia', 'Perth', 'Australia/Perth'],
  ['Germany', 'Hamburg', 'Europe/Berlin'],
  ['Germany', 'Leipzig', 'Europe/Berlin'],
  ['Netherlands', 'Utrecht', 'Europe/Amsterdam'],
  ['France', 'Lyon', 'Europe/Paris'],
  ['Sweden', 'Malmö', 'Europe/Stockholm'],
  ['Norway', 'Bergen', 'Europe/Oslo'],
  ['Spain', 'Valencia', 'Europe/Madrid'],
  ['Poland', 'Gdańsk', 'Europe/Warsaw'],
  ['Ireland', 'Cork', 'Europe/Dublin'],
  ['Israel', 'Haifa', 'Asia/Jerusalem'],
  ['United Arab Emirates', 'Dubai', 'Asia/Dubai'],
  ['India', 'Pune', 'Asia/Kolkata'],
  ['Singapore', 'Singapore', 'Asia/Singapore'],
  ['Japan', 'Osaka', 'Asia/Tokyo'],
  ['New Zealand', 'Wellington', 'Pacific/Auckland'],
  ['South Africa', 'Durban', 'Africa/Johannesburg'],
  ['Brazil', 'Recife', 'America/Recife'],
];

export const CLIENT_PLACES: readonly ClientPlace[] = PLACES.map(([country, city, timezone]) => ({
  country,
  city,
  timezone,
}));
