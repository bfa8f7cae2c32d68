import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { join, sql } from './sql.js';

describe('a statement', () => {
  it('passes every value as a parameter, never in its text', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (left, right) => {
        const statement = sql`select * from t where a = ${left} and b = ${right}`;
        expect(statement.text).toBe('select * from t where a = $1 and b = $2');
        expect(statement.values).toEqual([left, right]);
      }),
    );
  });

  it('treats an object that looks like a fragment as a value', () => {
    const forged = { text: 'drop table t', values: [] };
    expect(sql`select ${forged}`).toEqual({ text: 'select $1', values: [forged] });
  });

  it('inserts nested fragments with their parameters renumbered', () => {
    const scope = sql`tenant_id = ${'t'} and environment = ${'live'}`;
    const inner = sql`(${scope} and id = ${7})`;
    expect(sql`select ${1} where ${inner} or ${inner} limit ${2}`).toEqual({
      text: 'select $1 where (tenant_id = $2 and environment = $3 and id = $4) or (tenant_id = $5 and environment = $6 and id = $7) limit $8',
      values: [1, 't', 'live', 7, 't', 'live', 7, 2],
    });
  });

  it('numbers more than nine parameters', () => {
    const many = join(
      Array.from({ length: 25 }, (_, at) => sql`c${sql``} = ${at}`),
      ' and ',
    );
    expect(many.text.match(/\$\d+/g)).toEqual(Array.from({ length: 25 }, (_, at) => `$${at + 1}`));
    expect(sql`x ${0} ${many}`.text.match(/\$\d+/g)).toHaveLength(26);
    expect(sql`x ${0} ${many}`.values).toEqual([0, ...Array.from({ length: 25 }, (_, at) => at)]);
  });
});
