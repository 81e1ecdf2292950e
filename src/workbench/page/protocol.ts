/**
 * What the workbench's server and its page in the browser say to each other, as JSON. Types alone: the server and the page are
 * compiled apart. Everything happens as the person that the page acts as; the server sends it to the app as Slack would.
 *
 *   GET  /api/world?as=<user id>         PageWorld
 *   GET  /api/channel?as=…&channel=…     ShownMessage[], oldest first, with what only this person sees; the newest 200, or with
 *                                        `&before=<ts>` the 200 before that one. Fewer than 200: there are no more
 *   GET  /api/thread?as=…&channel=…&ts=… ShownMessage[], the parent first
 *   GET  /api/views?as=…                 ShownView[], the topmost last
 *   GET  /api/home?as=…                  ShownView | null
 *   GET  /api/market                     ShownMarket
 *   GET  /api/events                     server-sent events, each a PageEvent
 *   GET  /files/<id>                     the bytes of an uploaded picture
 *   POST /api/act                        PageAct -> PageAnswer
 *   POST /api/market                     MarketAct -> PageAnswer; `pass` answers when the time is over
 *
 * `/` is assets/index.html; `/assets/…` and `/client/…` are the files of those folders. Posts need `content-type: application/json`.
 * What is refused (403, 404, 405) answers with a PageAnswer, too. After each (re)connection of the events a `world` comes first.
 *
 * Only for this machine: requests with another Host or Origin than the page's own are refused.
 */

export interface PagePerson {
  readonly id: string;
  readonly name: string;
  /** What Slack knows of them. */
  readonly kind: 'admin' | 'member' | 'guest' | 'stranger';
}

export interface PageChannel {
  readonly id: string;
  /** Of a direct message: the bot's name. */
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im';
  readonly archived: boolean;
  /** The person can't see those that they are not in, but public ones. */
  readonly isMember: boolean;
  readonly messages: number;
}

/** For completion while a command is typed. */
export interface PageCommand {
  readonly word: string;
  readonly usage: readonly string[];
  readonly summary: string;
}

export interface PageShortcut {
  readonly callbackId: string;
  readonly name: string;
}

export interface PageWorkspace {
  readonly workspace: string;
  /** Name of the app. */
  readonly app: string;
  readonly now: number;
  /** Of the person's profile, as IANA names it: what times are shown in. */
  readonly zone: string;
  readonly as: PagePerson;
  readonly people: readonly PagePerson[];
  readonly channels: readonly PageChannel[];
  readonly groups: readonly { readonly id: string; readonly handle: string }[];
  readonly commands: readonly PageCommand[];
  /** Of messages. */
  readonly shortcuts: readonly PageShortcut[];
  /** Whose message the page begins with, where it stands too far up to be seen. */
  readonly guide?: string;
}

export interface ShownOption {
  readonly text: string;
  readonly value: string;
  readonly description?: string;
  /** Opens this and sends the press, too. */
  readonly url?: string;
}

export interface ShownConfirm {
  readonly title: string;
  /** Rendered. */
  readonly html: string;
  readonly confirm: string;
  readonly deny: string;
  readonly danger: boolean;
}

/** Something to press, choose from or fill in. Native controls of the browser stand for them. */
export interface ShownElement {
  readonly type:
    | 'button'
    | 'overflow'
    | 'select'
    | 'multi-select'
    | 'external-select'
    | 'multi-external-select'
    | 'radio'
    | 'checkboxes'
    | 'date'
    | 'time'
    | 'date-time'
    | 'text'
    | 'number'
    | 'file'
    | 'image'
    /** What the page can't show; it says so. */
    | 'unknown';
  readonly actionId: string;
  readonly blockId: string;
  /** Of a button; of an image its alt text. */
  readonly label: string;
  /** For screen readers, where the app gave one. */
  readonly accessibilityLabel?: string;
  readonly style?: 'primary' | 'danger';
  readonly value?: string;
  readonly url?: string;
  readonly options?: readonly ShownOption[];
  readonly groups?: readonly { readonly label: string; readonly options: readonly ShownOption[] }[];
  readonly placeholder?: string;
  /** What stands in it now: as typed, an option's value, `2026-01-31`, `09:30`, seconds since 1970. */
  readonly current?: string | readonly string[];
  readonly multiline?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
  readonly maxSelected?: number;
  readonly minQuery?: number;
  /** Endings that a file must have, without the dot; any where there are none. */
  readonly fileTypes?: readonly string[];
  readonly maxFiles?: number;
  /** Of each file. */
  readonly maxBytes?: number;
  readonly confirm?: ShownConfirm;
  readonly focus?: boolean;
}

/**
 * `html` is rendered on the server from the block, safe to be shown as it is. It is made of p, br, strong, em, s, code, pre,
 * blockquote, ul, ol, li, table, hr, a.link (opens another tab), span.mention, span.emoji, of a header h3.header, of fields
 * div.fields > div.field, of a context div.context > (div.words | img), of an image figure > (figcaption, img). No ids, no styles.
 */
export type ShownBlock =
  | { readonly kind: 'html'; readonly blockId: string; readonly html: string }
  | {
      readonly kind: 'section';
      readonly blockId: string;
      readonly html: string;
      readonly accessory?: ShownElement;
    }
  | { readonly kind: 'actions'; readonly blockId: string; readonly elements: readonly ShownElement[] }
  | {
      readonly kind: 'input';
      readonly blockId: string;
      readonly label: string;
      readonly hint?: string;
      readonly optional: boolean;
      /** A change is sent to the app at once. */
      readonly dispatches: boolean;
      readonly element: ShownElement;
    };

export interface ShownFile {
  readonly id: string;
  readonly title: string;
  readonly alt: string;
}

export interface ShownMessage {
  readonly channel: string;
  readonly ts: string;
  readonly at: number;
  readonly author: string;
  readonly byBot: boolean;
  readonly edited: boolean;
  /** Only the person that the page acts as sees it. */
  readonly onlyMe: boolean;
  readonly thread?: string;
  readonly replies: number;
  /** Of the message, where it has no blocks; rendered. */
  readonly html?: string;
  readonly blocks: readonly ShownBlock[];
  readonly unfurls: readonly { readonly url: string; readonly blocks: readonly ShownBlock[] }[];
  readonly files: readonly ShownFile[];
}

export interface ShownView {
  readonly id: string;
  /** Changes with each update: what was filled in by then stays where block and action stay. */
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly title: string;
  readonly submit?: string;
  readonly close: string;
  readonly blocks: readonly ShownBlock[];
}

/** What was filled in, by `action_id`; as `Filled` of the simulated Slack has it. */
export type PageInputValues = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Where something was pressed. */
export type PageActionTarget =
  | { readonly channel: string; readonly ts: string; readonly unfurl?: string }
  | { readonly view: string };

export type PageAction = { readonly as: string } & (
  | { readonly kind: 'command'; readonly channel: string; readonly text: string }
  | { readonly kind: 'say'; readonly channel: string; readonly text: string; readonly thread?: string }
  | {
      readonly kind: 'press';
      readonly on: PageActionTarget;
      readonly actionId: string;
      readonly blockId: string;
      readonly values?: PageInputValues;
    }
  | {
      readonly kind: 'choose';
      readonly on: PageActionTarget;
      readonly actionId: string;
      readonly blockId: string;
      readonly option: string | number | null | readonly string[];
      readonly values?: PageInputValues;
    }
  | {
      readonly kind: 'suggest';
      readonly on: PageActionTarget;
      readonly actionId: string;
      readonly blockId: string;
      readonly query: string;
    }
  /** A file that was chosen, in base64; the answer says by which id it is filled in. */
  | { readonly kind: 'upload'; readonly name: string; readonly data: string }
  | { readonly kind: 'submit'; readonly view: string; readonly values: PageInputValues }
  | { readonly kind: 'close'; readonly all?: boolean }
  | { readonly kind: 'shortcut'; readonly callbackId: string; readonly channel: string; readonly ts: string }
  | { readonly kind: 'open-home' }
);

export type PageActionResult =
  | {
      readonly ok: true;
      /** Of a submission that Slack or the app refused: sentences by `block_id`. */
      readonly errors?: Readonly<Record<string, string>>;
      readonly options?: readonly ShownOption[];
      /** Id of what was uploaded. */
      readonly file?: string;
      /** What Slack itself would tell the person, for example that the app did not answer in time. */
      readonly notice?: string;
    }
  /** Nothing was done; a sentence why. */
  | { readonly ok: false; readonly problem: string };

/** The marketplace's side. */
export interface ShownMarket {
  readonly now: number;
  readonly credits: { readonly remaining: number; readonly resetsAt: number };
  /** Requests in the last 60 s, and how many are allowed. */
  readonly requests: { readonly used: number; readonly limit: number };
  readonly seen: readonly {
    readonly at: number;
    readonly method: string;
    readonly path: string;
    /** Absent while it is undecided, and where no answer will ever come. */
    readonly status?: number;
    /** The connection was broken. */
    readonly lost?: true;
  }[];
  readonly projects: readonly {
    readonly id: number;
    readonly title: string;
    readonly publishedAt: number;
    readonly filters: readonly string[];
  }[];
  readonly jobs: readonly { readonly id: number; readonly title: string; readonly status: string }[];
  readonly proposals: readonly { readonly id: number; readonly title: string; readonly state: string }[];
  readonly templates: readonly { readonly id: number; readonly name: string }[];
  /** Ordered and not used up. */
  readonly faults: readonly string[];
}

export type MarketAction =
  | { readonly kind: 'fault'; readonly what: '429' | '500' | 'drop' | 'slow' | 'lose-effect' | 'off' }
  | { readonly kind: 'credits'; readonly remaining: number }
  /** As many credits as a billing period begins with. */
  | { readonly kind: 'refill' }
  | { readonly kind: 'publish' }
  | { readonly kind: 'invite' }
  | { readonly kind: 'outcome' }
  | { readonly kind: 'run-jobs' }
  | { readonly kind: 'pass'; readonly minutes: number };

/** Something changed: look again there. */
export type PageEvent =
  | { readonly kind: 'message'; readonly channel: string; readonly ts: string; readonly thread?: string }
  | { readonly kind: 'views' | 'home'; readonly person: string }
  | { readonly kind: 'market' }
  | { readonly kind: 'world' };
