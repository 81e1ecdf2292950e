/** Realistic projects and cards, to be adapted by tests. */
import { ChannelId, ProjectKey, UserId } from '../../src/ids.ts';
import type { ListedProject, LookedUpProject } from '../../src/marketplace/schema.ts';

export const CHANNEL = ChannelId.parse('C0WEB');
export const ANA = UserId.parse('U0ANA');
export const BEN = UserId.parse('U0BEN');
export const NOW = Date.UTC(2026, 10, 20, 9);

export function listed(change: Partial<ListedProject> = {}): ListedProject {
  return {
    key: ProjectKey.parse('~0123456789'),
    title: 'Rebuild our checkout in React',
    url: 'https://www.marketplace.example/jobs/~0123456789?a=1&b=2',
    description: 'We sell garden furniture and lose every third customer at the checkout.\n\nHelp us.',
    skills: ['React', 'TypeScript'],
    categories: ['Web development'],
    questions: ['When could you begin?', 'Which shops have you built?'],
    publishedAt: NOW - 180_000,
    budget: { type: 'Fixed', amount: '$1,500' },
    client: {
      verified: true,
      country: 'Norway',
      totalSpent: 12_300,
      totalHires: 45,
      hireRate: 0.8,
      rating: 4.9,
      reviews: 32,
    },
    ...change,
  };
}

export function lookedUp(change: Partial<LookedUpProject> = {}): LookedUpProject {
  return {
    ...listed(),
    duration: '1 to 3 months',
    engagement: '30+ hrs/week',
    experienceLevel: 'Expert',
    jobType: 'Fixed',
    usOnly: true,
    attachments: 2,
    connectsPrice: 16,
    preferred: {
      minJobSuccessScore: 90,
      english: 'Fluent',
      locations: ['Norway', 'Sweden'],
      languages: ['Norwegian'],
    },
    clientMore: {
      city: 'Oslo',
      localTime: '10:00',
      industry: 'Retail',
      registeredAt: Date.UTC(2019, 4, 1),
      jobsPosted: 56,
      jobsOpen: 2,
      avgHourlyRatePaid: 41.5,
    },
    workHistory: [
      {
        title: 'Shop migration',
        startDate: '2025-01-10',
        endDate: '2025-03-01',
        totalCharge: 4_200,
        totalHours: 96,
        score: 5,
        scoreOfClient: 4.8,
        commentOnClient: 'Clear and quick to pay.',
      },
    ],
    ...change,
  };
}
