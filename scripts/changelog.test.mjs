import { expect, test } from 'vitest';
import { notesOf, released } from './changelog.mjs';

const changelog = `# Changelog

## [Unreleased]

### For integrators

- **New:** one.

## [0.1.0] - 2026-11-22

- The first release.
`;
const both = {
  name: 'export.md',
  text: '### For integrators\n\n- **Fixed:** two.\n\n### For operators\n\n- **Changed:** three,\n  on two lines.\n',
};

test('entries of fragments follow those of the changelog, grouped by reader', () => {
  expect(notesOf(changelog, [both])).toBe(
    '### For integrators\n\n- **New:** one.\n- **Fixed:** two.\n\n### For operators\n\n- **Changed:** three,\n  on two lines.\n',
  );
});

test('a release puts the notes under its version and leaves nothing unreleased', () => {
  const next = released(changelog, notesOf(changelog, [both]), '0.2.0', '2026-12-01');
  expect(next).toContain(
    '## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### For integrators\n\n- **New:** one.\n',
  );
  expect(next).toMatch(/on two lines\.\n\n## \[0\.1\.0\] - 2026-11-22\n\n- The first release\.\n$/);
  expect(notesOf(next, [])).toBe('');
});

test.each([
  ['no section', '- **New:** one.\n'],
  ['an unknown reader', '### For everybody\n\n- **New:** one.\n'],
  ['no entry', '### For operators\n\nText.\n'],
  ['text before its first section', 'Text.\n\n### For operators\n\n- **New:** one.\n'],
])('a fragment with %s is reported by its name', (_, text) => {
  expect(() => notesOf(changelog, [{ name: 'export.md', text }])).toThrow('changes/export.md');
});
