// A vitest reporter that counts by project and records how each test ended there. (vitest's own JSON report does not say in
// which project a file ran, and the database suites are the same files in two projects.) Writes to the file in
// SVC_TEST_COUNTS.
import { writeFileSync } from 'node:fs';

/**
 * `broken` counts failures outside of any test: a file that does not load, a hook that throws. `left` counts single tests that the
 * quick suite leaves to CI.
 * @typedef {{ passed: number, failed: number, skipped: number, left: number, broken: number }} Count
 * @typedef {{ projects: Record<string, Count>, tests: import('../checks/proofs.mjs').Test[], unhandled: number }} Report
 */

const isQuick = process.env.SVC_TESTS === 'quick';

/** @public vitest loads this reporter by its path. */
export default class CountReporter {
  onTestRunEnd(
    /** @type {readonly import('vitest/node').TestModule[]} */ modules,
    /** @type {readonly unknown[]} */ unhandled,
  ) {
    /** @type {Record<string, Count>} */
    const projects = {};
    /** @type {import('../checks/proofs.mjs').Test[]} */
    const tests = [];
    for (const module of modules) {
      projects[module.project.name] ??= { passed: 0, failed: 0, skipped: 0, left: 0, broken: 0 };
      const count = projects[module.project.name];
      let failed = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        tests.push({
          project: module.project.name,
          file: module.relativeModuleId,
          name: test.fullName,
          state,
          ms: test.diagnostic()?.duration,
        });
        if (state === 'passed') count.passed += 1;
        else if (state === 'failed') failed += 1;
        else if (isQuick && test.options.tags?.includes('ci')) count.left += 1;
        else count.skipped += 1;
      }
      count.failed += failed;
      if (!module.ok() && failed === 0) count.broken += 1;
    }
    /** @type {Report} */
    const report = { projects, tests, unhandled: unhandled.length };
    const file = process.env.SVC_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify(report));
  }
}
