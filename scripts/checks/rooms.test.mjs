import { describe, expect, it } from 'vitest';
import { judge } from './rooms.mjs';

const rules = { hasDoors: true, open: ['records'] };
/** @param {string[]} imports such as `users/users.tsx audit/words.ts` */
const judged = (imports, knots = {}, building = rules) =>
  judge(
    imports.map((each) => each.split(' ')).map(([from, to]) => ({ from, to })),
    building,
    knots,
  );

describe('the check of rooms', () => {
  it('accepts imports of front doors and of open rooms, and those of the files beside the rooms', () => {
    expect(
      judged([
        'users/person.tsx audit/audit.tsx',
        'users/person.tsx records/lists/list.tsx',
        'pages.ts users/person.tsx',
        'users/person.tsx api.ts',
      ]),
    ).toEqual({ problems: [], spare: [] });
  });

  it('reports an import past the front door, unless this room may have it', () => {
    const imports = ['users/person.tsx audit/words.ts'];
    expect(judged(imports).problems).toEqual([
      'users/person.tsx imports audit/words.ts, which is not the front door of audit',
    ]);
    expect(judged(imports, { doors: { 'audit/words.ts': ['users'] } }).problems).toEqual([]);
    expect(judged(imports, { doors: { 'audit/words.ts': ['team'] } }).problems).toHaveLength(1);
    expect(judged(imports, {}, { ...rules, hasDoors: false }).problems).toEqual([]);
  });

  it('reports a circle of rooms, also through a file beside them', () => {
    const imports = ['users/users.tsx audit/audit.tsx', 'audit/audit.tsx api.ts', 'api.ts users/users.tsx'];
    expect(judged(imports).problems).toEqual(['a circle: users → audit → api.ts → users']);
    expect(judged(imports, { circles: { 'api.ts': ['users'] } })).toEqual({ problems: [], spare: [] });
  });

  it('reports exceptions that are not needed', () => {
    const knots = { doors: { 'audit/words.ts': ['users'] }, circles: { users: ['audit'], audit: ['team'] } };
    expect(judged(['users/users.tsx audit/audit.tsx'], knots).spare).toEqual([
      ['doors', 'audit/words.ts', 'users'],
      ['circles', 'users', 'audit'],
      ['circles', 'audit', 'team'],
    ]);
  });
});
