/**
 * What a made-up project is about. Texts may contain `{biz}` (dental practice), `{a}` (a dental practice)
 * and `{topic}` (dental).
 */
export type BusinessTag =
  | 'bookings'
  | 'shop'
  | 'saas'
  | 'food'
  | 'health'
  | 'finance'
  | 'property'
  | 'travel'
  | 'learning'
  | 'media'
  | 'factory'
  | 'field'
  | 'charity';

export type ExperienceLevel = 'Entry Level' | 'Intermediate' | 'Expert';

/** The least and the most. */
export type NumberRange = readonly [number, number];

export interface ProjectBrief {
  readonly categories: readonly string[];
  readonly titles: readonly string[];
  /** Businesses with one of these tags post it. */
  readonly tags: readonly BusinessTag[];
  /** Follows the business's introduction. */
  readonly body: string;
  /** Further sentences; a project has some of them. */
  readonly extras: readonly string[];
  readonly skills: readonly string[];
  /** A project has some of them. */
  readonly moreSkills: readonly string[];
  /** US dollars; at least one of the two. */
  readonly fixed?: NumberRange;
  readonly hourly?: NumberRange;
  readonly weeks: NumberRange;
  readonly level: ExperienceLevel;
  /** Screening questions, each with a good answer. */
  readonly questions: readonly (readonly [string, string])[];
  /** The middle of a cover letter. */
  readonly pitch: string;
}
