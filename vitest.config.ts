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
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
