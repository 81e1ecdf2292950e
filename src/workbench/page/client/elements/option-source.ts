/** Where a select gets its options: from its block, or from the app while the person types. */
import type { ShownElement } from '../../protocol.ts';
import type { BrowserApi } from '../browser.ts';
import { filterGroups, listOptionGroups, type OptionGroup } from '../options.ts';
import type { ElementSurface } from '../surface.ts';

/** Option groups, or a sentence that explains why there are none. */
export type OptionGroupsOrNotice = readonly OptionGroup[] | string;

/** Calls `show`, now or later, with the options for `query`; results of an older query are dropped. */
export type OptionSource = (query: string, show: (offered: OptionGroupsOrNotice) => void) => void;

const TYPING_MS = 200;
/** Slack's default when the app sets none. */
const MIN_QUERY = 3;

function ownOffers(element: ShownElement): OptionSource {
  const groups = listOptionGroups(element);
  return (query, show) => {
    const found = filterGroups(groups, query);
    show(found.length > 0 ? found : query === '' ? 'No options.' : 'No matches.');
  };
}

function askedOffers(element: ShownElement, surface: ElementSurface, browser: BrowserApi): OptionSource {
  const least = element.minQuery ?? MIN_QUERY;
  let cancel = () => {};
  let latest = 0;
  return (query, show) => {
    cancel();
    latest += 1;
    const mine = latest;
    if (query.length < least) {
      show(`Type ${least === 1 ? 'a letter' : `at least ${least} letters`} to search.`);
      return;
    }
    show('Searching…');
    cancel = browser.after(query === '' ? 0 : TYPING_MS, () => {
      void surface.suggest(element, query).then((found) => {
        if (mine !== latest) return;
        if (typeof found === 'string') show(found);
        else show(found.length === 0 ? 'No results.' : [{ options: found }]);
      });
    });
  };
}

export function createOptionSource(element: ShownElement, surface: ElementSurface): OptionSource {
  if (!element.type.endsWith('external-select')) return ownOffers(element);
  return askedOffers(element, surface, surface.desk.browser);
}
