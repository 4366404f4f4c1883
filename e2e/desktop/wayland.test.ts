import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { screenDiff } from './picture.ts';
import { run } from './processes.ts';
import { openOrdinaryUser, whyNoOrdinaryUser } from './user.ts';
import { missingForWayland, openWayland, type WaylandDesk } from './wayland.ts';
import { eventMask } from './x-client.ts';

const missing = missingForWayland();
if (missing !== null) console.warn(`the Wayland desktop is skipped; ${missing}`);

describe.skipIf(missing !== null)('a Wayland desktop for tests', () => {
  let desk: WaylandDesk;
  beforeAll(async () => {
    desk = await openWayland();
  });
  afterAll(() => desk?.close());

  it('shows a window of X on its wallpaper, and nothing when it has gone', async () => {
    const { requests: X, root } = desk.x;
    const window = X.AllocID();
    // Not managed, so that it stands where it is put.
    X.CreateWindow(window, root, 100, 50, 300, 200, 0, 0, 1, 0, {
      backgroundPixel: 0x123456,
      overrideRedirect: 1,
      eventMask: eventMask('Exposure'),
    });
    X.MapWindow(window);
    await until('the window', async () => {
      const { count, bounds } = screenDiff(await desk.screenshot(), desk.wallpaper);
      return count === 300 * 200 && bounds?.width === 300 && bounds.height === 200;
    });
    X.DestroyWindow(window);
    await until('the bare wallpaper', async () => screenDiff(await desk.screenshot(), desk.wallpaper).count === 0);
  });
});

const noUser = whyNoOrdinaryUser();
if (noUser !== null) console.warn(`the ordinary user is skipped: ${noUser}`);

describe.skipIf(noUser !== null)('an ordinary user', () => {
  it('reads the package, owns a home, and is not root', async () => {
    const user = openOrdinaryUser();
    try {
      const script = `require('fs').writeFileSync(process.argv[1] + '/mine', ''); require('fs').readFileSync(process.argv[2]);
        console.log(process.getuid())`;
      const [program, ...args] = user.command(
        process.execPath,
        '-e',
        script,
        user.home,
        `${user.packageFolder}/dist/host.js`,
      );
      expect((await run(program, args)).trim()).toBe(String(user.uid));
      expect(user.uid).not.toBe(0);
    } finally {
      user.close();
    }
  });
});
