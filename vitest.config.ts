import { defineConfig } from 'vitest/config';

/** Unit tests stand beside the code and start nothing; e2e tests boot the real host, browser, database and CLI. */
export default defineConfig({
  test: {
    reporters: ['default', './scripts/plain-reporter.ts'],
    projects: [
      {
        esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
        test: {
          name: 'unit',
          include: ['{server,overlay,cli,scripts}/**/*.test.{ts,tsx}'],
          pool: 'threads',
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          pool: 'forks',
          // After the unit tests: groups with different worker counts cannot run side by side.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
