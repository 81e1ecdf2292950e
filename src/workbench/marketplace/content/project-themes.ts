/** Made-up project themes: titles, required skills, descriptions. */
export interface ProjectTheme {
  readonly categories: readonly string[];
  readonly titles: readonly string[];
  readonly skills: readonly string[];
  /** Sentences for a description. */
  readonly needs: readonly string[];
}

export const PROJECT_THEMES: readonly ProjectTheme[] = [
  {
    categories: ['Web Development', 'Full Stack Development'],
    titles: [
      'Full-stack developer for a booking platform',
      'Rebuild our customer portal in React and Node',
      'Next.js storefront with a headless CMS',
      'Fix slow pages in a Django app',
      'Senior TypeScript engineer, long term',
      'Add subscriptions and invoices to our SaaS',
      'Move a PHP monolith to services, step by step',
    ],
    skills: [
      'React',
      'TypeScript',
      'Node.js',
      'PostgreSQL',
      'Next.js',
      'Django',
      'GraphQL',
      'Stripe API',
      'PHP',
    ],
    needs: [
      "The current site takes nine seconds to load, and we're losing visitors.",
      'You will work with our designer and one back-end developer.',
      'Clean pull requests and tests matter more to us than speed.',
      'There is a staging server and a list of known issues.',
      'Payments run through Stripe. Refunds are still manual.',
    ],
  },
  {
    categories: ['Mobile App Development'],
    titles: [
      'Flutter app for field technicians, offline first',
      'iOS developer to finish an app that is 80% done',
      'React Native: push notifications and deep links',
      'Kotlin developer for a point-of-sale terminal',
      'Bring our Android app up to the new store rules',
    ],
    skills: ['Flutter', 'Dart', 'Swift', 'Kotlin', 'React Native', 'Firebase', 'Bluetooth', 'SQLite'],
    needs: [
      'Technicians often have no signal, so the app must sync later.',
      'The previous developer left. The code is readable but has no tests.',
      'Both app stores must approve it before the end of the quarter.',
      'We have designs for every screen.',
    ],
  },
  {
    categories: ['Data Science & Analytics', 'Machine Learning'],
    titles: [
      'Forecast demand for 400 products',
      'Power BI dashboards on top of Snowflake',
      'Python: clean and match two customer databases',
      'Recommendation model for a recipe site',
      'Data engineer: nightly loads keep failing',
      "Evaluate our support assistant's answers",
    ],
    skills: [
      'Python',
      'SQL',
      'pandas',
      'Snowflake',
      'Power BI',
      'dbt',
      'Machine Learning',
      'Airflow',
      'LLM Evaluation',
    ],
    needs: [
      'Three years of sales are available as CSV files.',
      'We want to understand the result, so simple models come first.',
      'The loads run on Airflow and fail twice a week.',
      'Personal data must stay on our servers.',
    ],
  },
  {
    categories: ['Graphic Design', 'Branding'],
    titles: [
      'Logo and brand guide for a bakery chain',
      'Packaging for a line of four teas',
      'Redesign of a 40-page annual report',
      'Icons for a medical app',
      "Illustrations for a children's book, 24 pages",
    ],
    skills: ['Adobe Illustrator', 'Figma', 'Logo Design', 'Brand Identity', 'InDesign', 'Packaging Design'],
    needs: [
      "We're opening three more shops this spring.",
      'Please show examples of food or beverage work.',
      'We own the print files and all source files at the end.',
      'Two rounds of revisions are included.',
    ],
  },
  {
    categories: ['UX/UI Design', 'Product Design'],
    titles: [
      'Product designer for a scheduling tool',
      'Usability review of our checkout',
      'Design system in Figma for a banking app',
      'Wireframes for a marketplace of second-hand bikes',
    ],
    skills: ['Figma', 'User Research', 'Prototyping', 'Design Systems', 'Accessibility', 'Wireframing'],
    needs: [
      'One visitor in three leaves at the payment step.',
      'You will interview five customers. We invite them.',
      'Contrast and keyboard navigation must meet WCAG 2.2 AA.',
    ],
  },
  {
    categories: ['Content Writing', 'Copywriting'],
    titles: [
      'Technical writer for API documentation',
      'Eight articles a month about home solar',
      'Edit a non-fiction book of 70,000 words',
      'Website copy for a law firm, English and Spanish',
      'Scripts for short videos about personal finance',
    ],
    skills: [
      'Copywriting',
      'Technical Writing',
      'SEO Writing',
      'Editing & Proofreading',
      'Spanish',
      'Scriptwriting',
    ],
    needs: [
      'The reader is a developer who has ten minutes.',
      'Every claim needs a source.',
      'We pay for a trial article.',
      'Our style guide is two pages long.',
    ],
  },
  {
    categories: ['Digital Marketing', 'Paid Advertising'],
    titles: [
      'Google Ads specialist for a dental group',
      'Lower the cost per lead of our campaigns',
      'Email flows for an online shop with 60,000 subscribers',
      'SEO audit and six months of work',
      'Launch on a crowdfunding site: ads and page',
    ],
    skills: [
      'Google Ads',
      'Meta Ads',
      'SEO',
      'Klaviyo',
      'Google Analytics',
      'Landing Pages',
      'Email Marketing',
    ],
    needs: [
      'We spend $8,000 a month and pay $95 per lead.',
      'Tracking has been partly broken since the last redesign.',
      'A short written report every other week is enough.',
    ],
  },
  {
    categories: ['DevOps & Solution Architecture', 'Cloud Engineering'],
    titles: [
      'Kubernetes: upgrades without downtime',
      'Terraform for three AWS accounts',
      'Cut our cloud bill by a third',
      'Set up monitoring and on-call for a small team',
      'Move from Heroku to our own containers',
    ],
    skills: [
      'AWS',
      'Kubernetes',
      'Terraform',
      'Docker',
      'GitHub Actions',
      'Prometheus',
      'Linux',
      'Google Cloud',
    ],
    needs: [
      "Last month's bill was $14,200, half of it for idle databases.",
      'Everything was set up by hand, and nobody dares to touch it.',
      'We deploy ten times a day and want to keep it that way.',
    ],
  },
  {
    categories: ['Video & Animation', 'Audio Production'],
    titles: [
      'Edit a weekly podcast with video',
      'Explainer animation, 90 seconds',
      'Color grading for a short documentary',
      'Product videos for twelve kitchen tools',
    ],
    skills: [
      'Premiere Pro',
      'After Effects',
      'DaVinci Resolve',
      'Motion Graphics',
      'Audio Editing',
      'Blender',
    ],
    needs: [
      'Two cameras, four microphones, about one hour of material.',
      'The voice-over is already recorded.',
      'We need it in three aspect ratios.',
    ],
  },
  {
    categories: ['Virtual Assistance', 'Customer Service'],
    titles: [
      'Assistant for a property manager, 15 hours a week',
      'Support agent for a software product, evenings in Europe',
      'Research 300 companies and their contacts',
      'Bookkeeping in Xero, monthly',
    ],
    skills: [
      'Administrative Support',
      'Zendesk',
      'Data Entry',
      'Lead Research',
      'Xero',
      'Bookkeeping',
      'Calendar Management',
    ],
    needs: [
      'You answer tenants, book contractors, and manage the calendar.',
      'First replies should go out within two hours.',
      'We expect a spreadsheet with sources.',
    ],
  },
  {
    categories: ['Engineering & Architecture', 'CAD'],
    titles: [
      'SolidWorks model of a folding bracket',
      'Renderings of a lake house',
      'PCB layout for a battery charger',
      'Structural check of a steel staircase',
    ],
    skills: [
      'SolidWorks',
      'AutoCAD',
      'PCB Design',
      'Revit',
      '3D Rendering',
      'Altium Designer',
      'Structural Engineering',
    ],
    needs: [
      'A hand sketch with all measurements is attached.',
      'The part will be milled from aluminum, 200 pieces.',
      'Drawings must follow ISO 128.',
    ],
  },
  {
    categories: ['Game Development', 'AR/VR Development'],
    titles: [
      'Unity developer for a puzzle game',
      'Unreal Engine: first playable of a racing game',
      'Netcode for a four-player co-op game',
      'VR training for crane operators',
    ],
    skills: ['Unity', 'C#', 'Unreal Engine', 'C++', 'Blender', 'Netcode', 'Shader Programming'],
    needs: [
      'We have a design document and placeholder art.',
      'It must run at 60 frames per second on a mid-range phone.',
      'We meet online twice a week.',
    ],
  },
];
