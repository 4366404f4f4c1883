/** Node, the user, Chromium and its sandbox. */
import type { Facts, NamespaceFacts } from './facts.ts';
import { endsOf, type Finding } from './finding.ts';
import { chromiumHint } from './packages.ts';

/** As package.json says. */
export const MIN_NODE = '20.19.0';

const isOlder = (version: string, than: string): boolean => version.localeCompare(than, 'en', { numeric: true }) < 0;

export function checkNode({ node }: Facts): Finding {
  const { ok, problem } = endsOf('node', 'Node.js');
  if (!isOlder(node, MIN_NODE)) return ok(`Version ${node}.`);
  return problem(
    `Version ${node}; the companion needs ${MIN_NODE} or newer.`,
    'Install a newer one: https://nodejs.org/en/download',
  );
}

export function checkUser({ isRoot }: Facts): Finding {
  const { ok, warning } = endsOf('user', 'User');
  if (!isRoot) return ok('An ordinary one.');
  return warning(
    'This is root: Chromium then runs without its sandbox, and programs of other users do not reach this companion.',
    'Use your own account.',
  );
}

const NAMED_MEND =
  'Correct "chromium" in config.json or COMPANION_CHROMIUM, or remove it to have Chromium searched for.';
const WALL_TEXT = 'sees few of your folders, and the one it is to keep its profile in is none of them';

export function checkChromium({ chromium, distributions, host }: Facts): Finding {
  const { ok, warning, problem } = endsOf('chromium', 'Chromium');
  const { named, path, version, wall } = chromium;
  if (path === null && named !== null) return problem(`${named} cannot be run.`, NAMED_MEND);
  if (path === null)
    return problem('None was found, and nothing can be shown without it.', `${chromiumHint(distributions)}.`);
  const what = `${path}${version === null ? '' : `, ${version}`}`;
  if (wall !== null && host?.overlay.state !== 'up') {
    return warning(
      `${what}. It is a ${wall}, which ${WALL_TEXT}: it may not start.`,
      `${chromiumHint(distributions)}, which is then taken in its place.`,
    );
  }
  if (version !== null) return ok(`${what}.`);
  return warning(`${what}. It does not say its version, so it may not start.`, `See what this says: ${path} --version`);
}

/** Why an ordinary program gets no namespace of its own, and how to change that; null: it gets one. */
function restrictionOf({
  unprivilegedClone,
  maximum,
}: NamespaceFacts): readonly [seen: string, setting: string] | null {
  if (unprivilegedClone === 0) return ['kernel.unprivileged_userns_clone is 0', 'kernel.unprivileged_userns_clone=1'];
  return maximum === 0 ? ['user.max_user_namespaces is 0', 'user.max_user_namespaces=15000'] : null;
}

export function checkSandbox({ isRoot, namespaces, chromium, desktop }: Facts): Finding {
  const { ok, warning, problem } = endsOf('sandbox', "Chromium's sandbox");
  if (isRoot) return warning('Off, because this is root.');
  if (desktop?.chromium.sandbox) return ok('On: the running companion has seen it.');
  if (desktop !== null && desktop.chromium.path !== '')
    return warning('The Chromium of the running companion has none.', 'Start the companion again.');
  if (chromium.hasHelper) return ok('Available, through its setuid helper.');
  const restriction = restrictionOf(namespaces);
  if (restriction !== null) {
    const [seen, setting] = restriction;
    return problem(`Not available: ${seen}. Chromium refuses to start.`, `Run: sudo sysctl -w ${setting}`);
  }
  if (namespaces.apparmorRestricts !== 1) return ok('Available, through user namespaces.');
  return warning(
    'AppArmor gives user namespaces only to programs it has a profile for; Chromium refuses to start without one.',
    'Chromium and Chrome packages of your distribution bring that profile. For all programs at once: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  );
}
