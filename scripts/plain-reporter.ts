/** Prints the plain closing line `N passed, N failed[, N skipped]` that machines read. */
import type { Reporter, TestModule } from 'vitest/node';

// vitest loads a reporter by its default export.
// biome-ignore lint/style/noDefaultExport: see above
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      let ownFailures = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') ownFailures += 1;
        else skipped += 1;
      }
      // A module that fails to load has no failing test of its own, and is a failure all the same.
      if (ownFailures === 0 && module.state() === 'failed') ownFailures = 1;
      failed += ownFailures;
    }
    process.on('exit', () => {
      process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
    });
  }
}
