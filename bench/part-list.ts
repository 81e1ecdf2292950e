/** The parts of the benchmark in running order, with an explanation of each for readers. */

export interface Part {
  /** The module's name in `bench/parts`, also for `--only`. */
  readonly name: string;
  readonly title: string;
  /** How it is measured and what its rows mean, for readers who don't know the code. */
  readonly about: string;
}

export const parts: readonly Part[] = [
  {
    name: 'acknowledgement',
    title: 'Answering Slack',
    about:
      'Slack gives up on a request after 3 seconds without an acknowledgement, so stored data must not ' +
      'slow Gigdesk down. The benchmark sends signed button presses and slash commands over loopback to ' +
      'the whole app with a full store, and in alternating rounds to a bare Bolt app that sends similar ' +
      'responses. Both apps and the sender run in separate processes. Each ratio is the median of the ' +
      'rounds. The highest rate is the most requests per second without a growing queue.',
  },
  {
    name: 'gate',
    title: 'Request gate',
    about:
      'The marketplace allows a fixed number of requests in any 60 seconds. On a simulated clock, work ' +
      'is always waiting, in the same bursts and lanes as in the app. No 60 seconds may exceed the ' +
      'limit, and little of the limit may go unused.',
  },
  {
    name: 'credits',
    title: 'Credits',
    about:
      "A project costs 1 credit the first time it's read, no matter how many filters and channels read " +
      'it. The figure is the credits the simulated marketplace charged, divided by the delivered ' +
      'projects.',
  },
  {
    name: 'feed-delay',
    title: 'Delay of new projects',
    about:
      'How long until Gigdesk finds a new project, if some filters find far more projects than others. ' +
      'The poll planner is compared with round robin (each filter in turn) and with the best fixed ' +
      'plan, found by numerical optimization.',
  },
  {
    name: 'hints',
    title: 'Hints',
    about:
      'How long until a new project is a card, if a tool sends a hint for each one, for some, or a flood of ' +
      'false ones. The feed and its request gate play beside a model of the marketplace, on a manual clock.',
  },
  {
    name: 'storage',
    title: 'Storage',
    about:
      'The cost to commit one change as the store grows from 1,000 records to 1,000,000, compared with ' +
      "the minimum for a durable store on this disk (append a line, fdatasync) and with lowdb's own " +
      'file adapter, which rewrites the whole file. Then the snapshot: how long writing it blocks the ' +
      'process, and how long a start takes to read it.',
  },
  {
    name: 'search',
    title: 'Proposal search',
    about:
      '16 kinds of queries over 20,000 proposals, compared with a plain scan of every proposal, and how ' +
      'long building the index blocks the process.',
  },
  {
    name: 'mirror',
    title: 'Copy of the proposals',
    about: 'Gigdesk copies 20,000 proposals page by page, then restarts with the saved copy.',
  },
  {
    name: 'first-start',
    title: 'The first start',
    about:
      "How long a newcomer waits: loading the app's code, a start with an empty folder, and the sandbox's " +
      'first card.',
  },
  {
    name: 'start-memory',
    title: 'Start and memory',
    about:
      'The whole app starts with a folder of 20,000 proposals and 50,000 seen projects. This measures ' +
      'how long until it accepts requests and the feed runs, and how much memory it uses once the index ' +
      'is built.',
  },
  {
    name: 'growth-proposals',
    title: 'Growth with proposals',
    about:
      'The search figures as the number of proposals grows. With an exponent of 1, twice the data costs ' +
      'twice as much. With 0, the cost stays the same.',
  },
  {
    name: 'growth-feed',
    title: 'Growth with subscriptions',
    about: 'The cost of the feed as the number of subscriptions grows, with a fitted exponent.',
  },
  {
    name: 'scale',
    title: 'PostgreSQL, replicas and many workspaces',
    about:
      'On a PostgreSQL server of this machine, with its usual durability. A commit is compared with a bare ' +
      'upsert. Replicas are processes of the whole app: their owner is killed, requests of Slack reach the ' +
      'replica that is not the owner, and all are restarted in turn behind a proxy while requests, events ' +
      'and projects arrive. Then one replica opens many workspaces, each with its own account, 3 channels, ' +
      '5 filters, 2,000 projects and 500 proposals.',
  },
];
