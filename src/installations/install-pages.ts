/** The pages that a browser shows while someone installs Gigdesk. They load nothing and run nothing. Pure. */
import { createHash } from 'node:crypto';
import type { HttpAnswer } from '../slack/core/http-server.ts';

interface Page {
  readonly status: number;
  readonly title: string;
  /** One paragraph each; plain text. */
  readonly lines: readonly string[];
  readonly link?: { readonly url: string; readonly text: string };
}

const STYLE =
  'body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;' +
  'color:#1d1c1d;background:#fff}h1{font-size:1.6rem;line-height:1.25}' +
  'a{color:#1d4d3f;font-weight:600}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#1a1d21}a{color:#8fd3bd}}';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The address of the page has a code and a state: no other site gets it, and no cache keeps the page. */
const HEADERS = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? '');
}

function renderPage({ status, title, lines, link }: Page): HttpAnswer {
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`);
  const ending = link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>`] : [];
  const head =
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style>`;
  const body = [`<h1>${escapeHtml(title)}</h1>`, ...paragraphs, ...ending].join('\n');
  const html = `<!doctype html>\n<html lang="en"><head>${head}</head>\n<body>\n${body}\n</body></html>\n`;
  return { status, type: 'text/html', body: html, headers: HEADERS };
}

/** To Slack's page, where the person chooses a workspace. */
export function redirectToSlack(url: string): HttpAnswer {
  return {
    status: 302,
    type: 'text/plain',
    body: 'Slack asks you which workspace to install Gigdesk in.\n',
    headers: { location: url, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
  };
}

/** @param appUrl opens the app in Slack */
export function installedPage(teamName: string, appUrl: string): HttpAnswer {
  return renderPage({
    status: 200,
    title: `Gigdesk is installed in ${teamName}`,
    lines: [
      "Next, connect your marketplace account on Gigdesk's Home tab in Slack.",
      'Then invite Gigdesk to a channel with /invite @gigdesk, and press Set Up This Channel.',
    ],
    link: { url: appUrl, text: 'Open Gigdesk in Slack' },
  });
}

export type InstallProblem =
  | 'canceled'
  | 'expired'
  | 'forged'
  | 'used'
  | 'busy'
  | 'org-wide'
  | 'refused'
  | 'no-answer'
  | 'not-stored';

const NOTHING = 'Nothing was installed.';
const AGAIN = 'Start again, and install within 10 minutes.';

const PROBLEMS: Readonly<Record<InstallProblem, Omit<Page, 'link'>>> = {
  canceled: {
    status: 200,
    title: 'You canceled the installation',
    lines: ["That's fine: nothing was installed. You can install Gigdesk at any time."],
  },
  expired: { status: 400, title: 'This link has expired', lines: [NOTHING, AGAIN] },
  forged: { status: 400, title: "This link isn't valid", lines: [NOTHING, AGAIN] },
  used: {
    status: 400,
    title: 'This link was used before',
    lines: [
      'Each link works once. If Gigdesk is in your Slack workspace, you are done. If not, start again.',
    ],
  },
  busy: { status: 429, title: 'Too many installations at once', lines: [NOTHING, 'Try again in a minute.'] },
  'org-wide': {
    status: 400,
    title: "Gigdesk can't be installed for a whole organization",
    lines: [
      `${NOTHING} Gigdesk works in single workspaces, and never mixes their data.`,
      'Start again, and choose one workspace of your organization.',
    ],
  },
  refused: {
    status: 400,
    title: "Slack didn't confirm the installation",
    lines: [`${NOTHING} Try again. If it keeps failing, ask the people who run Gigdesk to check its log.`],
  },
  'no-answer': {
    status: 502,
    title: "Slack isn't responding",
    lines: ["Gigdesk couldn't finish the installation. Try again in a minute."],
  },
  'not-stored': {
    status: 503,
    title: "Gigdesk couldn't store the installation",
    lines: ["Gigdesk can't reach its database. Try again in a minute."],
  },
};

/** @param installUrl where the person can start again */
export function problemPage(problem: InstallProblem, installUrl: string): HttpAnswer {
  const text = problem === 'canceled' ? 'Install Gigdesk' : 'Try again';
  return renderPage({ ...PROBLEMS[problem], link: { url: installUrl, text } });
}
