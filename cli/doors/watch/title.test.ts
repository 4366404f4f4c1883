import { expect, it } from 'vitest';
import { titleOf } from './title.ts';

it.each([
  ['/usr/bin/cargo', ['build', '--release'], 'cargo build'],
  ['companion', ['interface', 'install_packages', '--args', '{}'], 'companion interface install_packages'],
  ['sh', ['-c', 'curl -u me:secret x'], 'sh'],
  ['curl', ['https://me:secret@example.com'], 'curl'],
  ['make', [], 'make'],
  ['\x1b[31m', [], 'A program'],
])('%s %j is called %s', (command, args, title) => {
  expect(titleOf(command, args)).toBe(title);
});
