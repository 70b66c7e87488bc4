// Takes a picture of a page: node test/ui-preview/look.ts URL FILE [--size 1440x900] [--dark] [--scroll 0,400] [--keys "Tab,]"] [--hover 700,500]
import { parseArgs } from 'node:util';
import { launchBrowser } from '../browser.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '1440x900' },
    dark: { type: 'boolean', default: false },
    scroll: { type: 'string', default: '' },
    keys: { type: 'string', default: '' },
    hover: { type: 'string', default: '' },
    click: { type: 'string', default: '' },
    print: { type: 'boolean', default: false },
    after: { type: 'string', default: '600' },
  },
});
const [url = '', file = ''] = positionals;
const [width = 1440, height = 900] = values.size.split('x').map(Number);
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: values.dark ? 'dark' : 'light' });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') process.stderr.write(`${message.text()}\n`);
  });
  page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(Number(values.after));
  const [left, top] = values.scroll.split(',').map(Number);
  if (values.scroll !== '')
    await page.evaluate(([x, y]) => document.querySelector('main')?.scrollTo(x ?? 0, y ?? 0), [left, top]);
  for (const key of values.keys.split(' ').filter(Boolean)) await page.keyboard.press(key);
  if (values.click !== '') await page.click(values.click);
  const [x, y] = values.hover.split(',').map(Number);
  if (values.hover !== '') await page.mouse.move(x ?? 0, y ?? 0);
  if (values.print) await page.emulateMedia({ media: 'print' });
  await page.waitForTimeout(300);
  await page.screenshot({ path: file });
} finally {
  await browser.close();
}
