/** The page's entry point: creates the browser API and passes it on. */
import { createBrowserApi } from './browser.ts';
import { WorkbenchPage } from './page.ts';
import { applyTheme } from './topbar.ts';

const browser = createBrowserApi();
applyTheme(browser.machine);
const address = new URLSearchParams(window.location.search);
const page = new WorkbenchPage(browser, {
  as: address.get('as') ?? '',
  channel: address.get('channel') ?? '',
});
await page.start();
document.documentElement.classList.add('ready');
