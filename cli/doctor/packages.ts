/** How to install a program, by distribution. */

type Manager = 'apt' | 'dnf' | 'pacman' | 'zypper' | 'apk';

const COMMANDS: Readonly<Record<Manager, string>> = {
  apt: 'sudo apt-get install',
  dnf: 'sudo dnf install',
  pacman: 'sudo pacman -S',
  zypper: 'sudo zypper install',
  apk: 'sudo apk add',
};

const MANAGERS: Readonly<Record<string, Manager>> = {
  debian: 'apt',
  ubuntu: 'apt',
  fedora: 'dnf',
  rhel: 'dnf',
  centos: 'dnf',
  arch: 'pacman',
  suse: 'zypper',
  opensuse: 'zypper',
  alpine: 'apk',
};

/** Packages are called the same everywhere but where told. */
const NAMES: Readonly<Record<string, Partial<Record<Manager, string>>>> = {
  xwayland: { dnf: 'xorg-x11-server-Xwayland', pacman: 'xorg-xwayland' },
};

/** The command that installs `program`; null for a distribution nobody here knows. `distributions`: ID, then ID_LIKE. */
export function installCommand(distributions: readonly string[], program: string): string | null {
  const known = distributions.map((id) => MANAGERS[id]).find((manager) => manager !== undefined);
  return known === undefined ? null : `${COMMANDS[known]} ${NAMES[program]?.[known] ?? program}`;
}

/** A Chromium that may use our profile folder: Ubuntu's own package is a snap. */
export function chromiumHint(distributions: readonly string[]): string {
  if (distributions[0] === 'ubuntu') return 'Install Google Chrome from its .deb (https://www.google.com/chrome/)';
  const command = installCommand(distributions, 'chromium');
  return command === null ? 'Install Chromium or Google Chrome' : `Run: ${command}`;
}
