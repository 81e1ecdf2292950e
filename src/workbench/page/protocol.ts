/**
 * The JSON API between the workbench's server and its page in the browser. Types only: the two are compiled
 * separately. Everything happens as the page's current person; the server sends it to the app as Slack would.
 *
 *   GET  /api/world?as=<user id>         PageWorkspace
 *   GET  /api/channel?as=…&channel=…     ShownMessage[], oldest first, with the person's ephemeral messages;
 *                                        the newest 200, or with `&before=<ts>` the 200 before that message.
 *                                        Fewer than 200: there are no more
 *   GET  /api/thread?as=…&channel=…&ts=… ShownMessage[], the parent first
 *   GET  /api/views?as=…                 ShownView[], the topmost last
 *   GET  /api/home?as=…                  ShownView | null
 *   GET  /api/market                     ShownMarket
 *   GET  /api/events                     server-sent events, each a PageEvent
 *   GET  /files/<id>                     the bytes of an uploaded image
 *   POST /api/act                        PageAction -> PageActionResult
 *   POST /api/market                     MarketAction -> PageActionResult; `pass` returns after the skip
 *
 * `/` is assets/index.html; `/assets/…` and `/client/…` are the files of those folders. Posts need
 * `content-type: application/json`. Refused requests (403, 404, 405) return a PageActionResult, too. Each new
 * or restored event connection begins with a `world` event.
 *
 * Only for this machine: requests with a foreign Host or Origin are refused.
 */

export interface PagePerson {
  readonly id: string;
  readonly name: string;
  /** The person's role in the workspace. */
  readonly kind: 'admin' | 'member' | 'guest' | 'stranger';
}

export interface PageChannel {
  readonly id: string;
  /** Of a direct message: the bot's name. */
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im';
  readonly archived: boolean;
  /** Non-members can see only public channels. */
  readonly isMember: boolean;
  readonly messages: number;
}

/** For completion while a person types a command. */
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
  /** The app's name. */
  readonly app: string;
  readonly now: number;
  /** IANA name of the person's time zone, for all displayed times. */
  readonly zone: string;
  readonly as: PagePerson;
  readonly people: readonly PagePerson[];
  readonly channels: readonly PageChannel[];
  readonly groups: readonly { readonly id: string; readonly handle: string }[];
  readonly commands: readonly PageCommand[];
  /** Message shortcuts. */
  readonly shortcuts: readonly PageShortcut[];
}

export interface ShownOption {
  readonly text: string;
  readonly value: string;
  readonly description?: string;
  /** The press opens this URL and also goes to the app. */
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

/** An interactive element, for a native control of the browser. */
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
    /** The page can't show this element; it says so. */
    | 'unknown';
  readonly actionId: string;
  readonly blockId: string;
  /** The text of a button; the alt text of an image. */
  readonly label: string;
  /** For screen readers, if the app set one. */
  readonly accessibilityLabel?: string;
  readonly style?: 'primary' | 'danger';
  readonly value?: string;
  readonly url?: string;
  readonly options?: readonly ShownOption[];
  readonly groups?: readonly { readonly label: string; readonly options: readonly ShownOption[] }[];
  readonly placeholder?: string;
  /** The current value: text as typed, an option's value, `2026-01-31`, `09:30`, seconds since 1970. */
  readonly current?: string | readonly string[];
  readonly multiline?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
  readonly maxSelected?: number;
  readonly minQuery?: number;
  /** Allowed file extensions, without the dot; empty: any file. */
  readonly fileTypes?: readonly string[];
  readonly maxFiles?: number;
  /** Per file. */
  readonly maxBytes?: number;
  readonly confirm?: ShownConfirm;
  readonly focus?: boolean;
}

/**
 * `html` is rendered on the server and safe to insert. It consists of p, br, strong, em, s, code, pre,
 * blockquote, ul, ol, li, table, hr, a.link (opens a new tab), span.mention, span.emoji. A header is
 * h3.header, fields are div.fields > div.field, a context is div.context > (div.words | img), an image is
 * figure > (figcaption, img). No IDs, no styles.
 */
/** A cell: how it looks, and what its column sorts by. */
export interface ShownCell {
  readonly html: string;
  readonly sort: number | string;
}

export type ShownBlock =
  | {
      readonly kind: 'data-table';
      readonly blockId: string;
      readonly caption: string;
      readonly pageSize: number;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly ShownCell[])[];
    }
  | {
      readonly kind: 'container';
      readonly blockId: string;
      readonly title: string;
      readonly canFold: boolean;
      readonly isFolded: boolean;
      readonly blocks: readonly ShownBlock[];
    }
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
      /** A change goes to the app at once. */
      readonly dispatches: boolean;
      readonly element: ShownElement;
    };

export interface ShownFile {
  readonly id: string;
  /** Others are offered as a link. */
  readonly isImage: boolean;
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
  /** Only the current person sees it. */
  readonly onlyMe: boolean;
  readonly thread?: string;
  readonly replies: number;
  /** Absent without replies. */
  readonly lastReply?: {
    readonly at: number;
    /** Those who replied, at most three. */
    readonly authors: readonly { readonly name: string; readonly byBot: boolean }[];
  };
  /** The rendered text of a message without blocks. */
  readonly html?: string;
  readonly blocks: readonly ShownBlock[];
  readonly unfurls: readonly { readonly url: string; readonly blocks: readonly ShownBlock[] }[];
  readonly files: readonly ShownFile[];
}

export interface ShownView {
  readonly id: string;
  /** Changes with each update: unsent input stays where block and action stay. */
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly title: string;
  readonly submit?: string;
  readonly close: string;
  readonly blocks: readonly ShownBlock[];
}

/** Submitted values by `action_id`; like `InputValues` of the simulated Slack. */
export type PageInputValues = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Where the person pressed something. */
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
  /** A chosen file in base64; the result contains the ID to submit. */
  | { readonly kind: 'upload'; readonly name: string; readonly data: string }
  | { readonly kind: 'submit'; readonly view: string; readonly values: PageInputValues }
  | { readonly kind: 'close'; readonly all?: boolean }
  | { readonly kind: 'shortcut'; readonly callbackId: string; readonly channel: string; readonly ts: string }
  | { readonly kind: 'open-home' }
);

export type PageActionResult =
  | {
      readonly ok: true;
      /** Errors by `block_id`, for a submission that Slack or the app refused. */
      readonly errors?: Readonly<Record<string, string>>;
      readonly options?: readonly ShownOption[];
      /** ID of the uploaded file. */
      readonly file?: string;
      /** Slack's own message for the person, for example that the app didn't respond in time. */
      readonly notice?: string;
    }
  /** Nothing was done; a sentence says why. */
  | { readonly ok: false; readonly problem: string };

/** The marketplace's data for the panel. */
export interface ShownMarket {
  readonly now: number;
  readonly credits: { readonly remaining: number; readonly resetsAt: number };
  /** Requests in the last 60 s, and the limit. */
  readonly requests: { readonly used: number; readonly limit: number };
  readonly seen: readonly {
    readonly at: number;
    readonly method: string;
    readonly path: string;
    /** Absent while undecided, and if the request gets no response. */
    readonly status?: number;
    /** The connection broke. */
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
  /** Injected and not used up. */
  readonly faults: readonly string[];
  /** What to try, in a useful order. */
  readonly guide: readonly ShownGuideStep[];
}

export interface ShownGuideStep {
  /** In a few words. */
  readonly label: string;
  /** What to press, and what happens. */
  readonly hint: string;
  readonly isDone: boolean;
}

export type MarketAction =
  | { readonly kind: 'fault'; readonly what: '429' | '500' | 'drop' | 'slow' | 'lose-effect' | 'off' }
  | { readonly kind: 'credits'; readonly remaining: number }
  /** Restores the credits that a billing period begins with. */
  | { readonly kind: 'refill' }
  /** A minute in which much happens. */
  | { readonly kind: 'hurry' }
  | { readonly kind: 'publish' }
  /** Publishes, and calls Gigdesk's address for hints as an outside tool would. */
  | { readonly kind: 'publish-hinted' }
  /** A project with hostile content. */
  | { readonly kind: 'publish-strange' }
  | { readonly kind: 'invite' }
  | { readonly kind: 'outcome' }
  | { readonly kind: 'run-jobs' }
  | { readonly kind: 'pass'; readonly minutes: number };

/** Something changed: the page refreshes that part. */
export type PageEvent =
  | { readonly kind: 'message'; readonly channel: string; readonly ts: string; readonly thread?: string }
  | { readonly kind: 'views' | 'home'; readonly person: string }
  | { readonly kind: 'market' }
  | { readonly kind: 'world' };
