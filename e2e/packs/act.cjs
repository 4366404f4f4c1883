// Changes a library as a process of its own, and kills itself at the n-th touch of the disk: `node act.cjs PACKS_BUNDLE DATA ACTION N`.
const fs = require('node:fs');
const promises = require('node:fs/promises');

const [bundle, dataFolder, action, killAt] = process.argv.slice(2);
let touches = -1;

/** Counts a touch, and does not come back from the last one. */
function touch() {
  if (touches < 0) return;
  touches += 1;
  if (touches === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

function watch(owner) {
  for (const name of Object.keys(owner)) {
    const original = owner[name];
    if (typeof original !== 'function' || /^[A-Z_]/.test(name)) continue;
    owner[name] = Object.assign(function (...args) {
      touch();
      return original.apply(this, args);
    }, original);
  }
}
watch(fs);
watch(promises);

async function main() {
  const probe = await promises.open(__filename, 'r');
  const handles = Object.getPrototypeOf(probe);
  await probe.close();
  for (const name of ['write', 'writeFile', 'sync', 'truncate', 'close']) {
    const original = handles[name];
    handles[name] = function (...args) {
      touch();
      return original.apply(this, args);
    };
  }
  const library = require(bundle).openLibrary(dataFolder);
  const signal = new AbortController().signal;
  const steering = { signal, unpaused: async () => {}, onDownloads: () => {}, onPack: fail };
  const { offered } = action.startsWith('install') ? await library.offers(signal) : { offered: [] };
  touches = 0;
  if (action.startsWith('install '))
    await library.install(library.plan([action.slice(8)], offered), { use: true }, steering);
  else if (action.startsWith('remove ')) await library.remove(...action.slice(7).split('@'));
  else if (action.startsWith('index ')) await library.addIndex({ name: action.slice(6), url: '/packs' });
  process.stdout.write(String(touches));
}

function fail(coordinate, error) {
  if (error === null) return;
  process.stderr.write(`${coordinate}: ${error.code} ${error.message}`);
  process.exitCode = 1;
}

main().catch((error) => fail(action, error));
