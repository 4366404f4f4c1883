// A whole companion in a process of its own, to be traced and killed: `node host-process.mjs HOME CONFIG`. Orders come by
// standard input, one JSON object a line; it says `up`, and `done N` when order N is carried out.
import { createInterface } from 'node:readline';

const { launchCompanion, until } = await import(new URL('../../dist/testing.js', import.meta.url).href);
const [home, config = '{}'] = process.argv.slice(2);
const companion = await launchCompanion({ home, config: JSON.parse(config) });
const say = (line) => process.stdout.write(`${line}\n`);

/** Presses until the button is switched off, or gone. */
async function press(selector) {
  await companion.page.waitForSelector(selector, { visible: true });
  await until(`${selector} is pressed`, async () => {
    await companion.page.click(selector).catch(() => {});
    return companion.page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.disabled !== false`);
  });
}

/** From now on a user in the page answers every question as soon as it is there. */
const answerAll = (option) =>
  companion.page.evaluate(`(() => {
    const answer = () => {
      for (const button of document.querySelectorAll('[data-option-id="${option}"]:enabled')) button.click();
      // A press before the card is painted means nothing, so it is tried with every frame.
      requestAnimationFrame(answer);
    };
    answer();
  })()`);

say('up');
for await (const line of createInterface({ input: process.stdin })) {
  const { order, selector, answer } = JSON.parse(line);
  await (answer === undefined ? press(selector) : answerAll(answer));
  say(`done ${order}`);
}
await companion.stop({ keep: true });
