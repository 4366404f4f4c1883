// A whole companion in a process of its own, to be traced and killed: `node host-process.mjs HOME CONFIG`; on the desktop that
// DISPLAY names, or headless. Orders come by standard input, one JSON object a line; it says `up`, and `done N` when order N is
// carried out.
import { createInterface } from 'node:readline';

const { launchCompanion, until } = await import(new URL('../../dist/testing.js', import.meta.url).href);
const [home, config = '{}'] = process.argv.slice(2);
const headless = process.env.DISPLAY === undefined;
const companion = await launchCompanion({ home, config: JSON.parse(config), headless });
const say = (line) => process.stdout.write(`${line}\n`);

/** Presses until the button is switched off, or gone. */
async function press(selector) {
  await companion.page.waitForSelector(selector, { visible: true });
  await until(`${selector} is pressed`, async () => {
    await companion.page.click(selector).catch(() => {});
    return companion.page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.disabled !== false`);
  });
}

/** From now on a user in the page answers every question; again and again, because what comes before the painting does not count. */
const answerAll = (option) =>
  companion.page.evaluate(`setInterval(() => {
    for (const button of document.querySelectorAll('[data-option-id="${option}"]:enabled')) button.click();
  }, 20)`);

say('up');
for await (const line of createInterface({ input: process.stdin })) {
  const { order, selector, answer } = JSON.parse(line);
  await (answer === undefined ? press(selector) : answerAll(answer));
  say(`done ${order}`);
}
await companion.stop({ keep: true });
