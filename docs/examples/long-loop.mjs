// A long loop with a progress card that can pause and cancel it: node long-loop.mjs STEPS
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'companion/client';

const steps = Number(process.argv[2] ?? 20);
const companion = await connect();
const newCard = (percent) => companion.progress('Sorting the photographs', { percent, controls: ['pause', 'cancel'] });
let card = await newCard(0);
let isCardWanted = true;

/** Brings the card up to date; what the user last pressed on it, if anything. */
async function report(fields) {
  if (!isCardWanted) return null;
  try {
    return (await card.update(fields)).control?.action ?? null;
  } catch (error) {
    const { status } = error.details ?? {};
    // Closed by the user: the work goes on without a card. Ended by a restart of the companion: it gets a new one.
    if (error.code === 'REVISION_CONFLICT' && status === 'failed') card = await newCard(fields.percent);
    else if (error.code === 'REVISION_CONFLICT') isCardWanted = false;
    else console.error(`no progress shown: ${error.code ?? error.message}`);
    return null;
  }
}

/** Waits until the user lets it go on, or wants it to end. */
async function pause(percent) {
  let pressed = await report({ percent, paused: true });
  while (pressed === 'pause') {
    // `control` raises the revision; nothing is asked again and again.
    const next = await companion.wait(card.requestId, { afterRevision: card.snapshot.revision });
    pressed = next.endedAt === null ? await report({ percent }) : null;
  }
  if (pressed !== 'cancel') await report({ percent, paused: false });
  return pressed;
}

let done = 0;
let pressed = null;
while (done < steps && pressed !== 'cancel') {
  await sleep(50); // the work
  done += 1;
  const percent = (done / steps) * 100;
  pressed = await report({ percent, message: `${done} of ${steps}` });
  if (pressed === 'pause') pressed = await pause(percent);
}

if (isCardWanted) {
  if (done === steps) await card.done({ message: 'All sorted' });
  else await card.fail(`Cancelled after ${done} of ${steps}`);
}
console.log(`${done} of ${steps}`);
companion.close();
