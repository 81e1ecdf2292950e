/** The page's beginning: the browser is taken in hand here, and nowhere else. */
import { realBrowser } from './browser.ts';
import { Page } from './page.ts';
import { applyTheme } from './topbar.ts';

const browser = realBrowser();
applyTheme(browser.machine);
const address = new URLSearchParams(window.location.search);
const page = new Page(browser, { as: address.get('as') ?? '', channel: address.get('channel') ?? '' });
await page.start();
document.documentElement.classList.add('ready');
