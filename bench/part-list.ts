/** The parts of the benchmark, in the order in which they run, and what a reader has to know of each. */

export interface Part {
  /** Its module in `bench/parts`, and its name for `--only`. */
  readonly name: string;
  readonly title: string;
  /** How it is measured, and what its rows mean, for somebody who has not read the code. */
  readonly about: string;
}

export const parts: readonly Part[] = [
  {
    name: 'acknowledgement',
    title: 'Answering Slack',
    about:
      'Slack takes back whatever is not acknowledged within three seconds, so nothing that Gigdesk stores may slow its ' +
      'answers. Signed buttons and slash commands are sent over loopback to the whole app, with a full store behind it, and in alternating ' +
      'rounds to a bare Bolt app that sends the same kind of answer; each runs in a process of its own, and so does the sender. ' +
      'A ratio is the median of the rounds. The highest rate is what is still answered without a queue that grows.',
  },
  {
    name: 'gate',
    title: 'The request gate',
    about:
      'The marketplace lets a fixed number of requests through in any 60 seconds. On a clock moved by hand, work always waits, in ' +
      'bursts and lanes as the app has them: no 60 seconds may hold more than the limit, and little of it may be wasted.',
  },
  {
    name: 'credits',
    title: 'Credits',
    about:
      'A project costs one credit when it is read for the first time, whichever filters and channels it is read through. ' +
      'What the simulated marketplace has charged is divided by the projects that were delivered.',
  },
  {
    name: 'feed-delay',
    title: 'Delay of new projects',
    about:
      'How long a new project waits until it is found, where some filters bring far more than others. Beside the planner ' +
      'of polls run round robin (each filter in its turn) and the best plan that does not change, found by numeric optimisation.',
  },
  {
    name: 'storage',
    title: 'Storage',
    about:
      'What it costs to commit one change, as the store grows from a thousand records to a million, beside the least that ' +
      "any durable store can do on this disk (append a line, fdatasync) and lowdb's own file adapter, which writes everything anew. " +
      'Then the snapshot: how long it keeps the process from anything else, and how long a start takes to read it.',
  },
  {
    name: 'search',
    title: 'Search of proposals',
    about:
      'Queries of sixteen kinds over 20,000 proposals, beside a plain scan that tries each proposal; and what building the ' +
      'index keeps the process from.',
  },
  {
    name: 'mirror',
    title: 'The copy of the proposals',
    about: 'Copying 20,000 proposals page by page, and starting with the copy that is there.',
  },
  {
    name: 'start-memory',
    title: 'Start and memory',
    about:
      'The whole app starts over a folder with 20,000 proposals and 50,000 projects seen: how long until it takes requests ' +
      'and the feed runs, and what memory it holds once the index is built.',
  },
  {
    name: 'growth-proposals',
    title: 'Growth with proposals',
    about:
      'The same figures at growing numbers of proposals. An exponent of 1 says twice the data, twice the cost; 0 says that the cost does not grow.',
  },
  {
    name: 'growth-feed',
    title: 'Growth with subscriptions',
    about: 'The cost of the feed at growing numbers of subscriptions, with the exponent fitted to it.',
  },
];
